/**
 * Access tokens: they do not expire, and end when they are revoked or replaced by newer ones of the same account, or of
 * the same application where they are its own.
 */
import type { BodyOf, DelegatedReply } from '../../runtime/contract.ts';
import { Failure } from '../../runtime/errors.ts';
import { Account } from '../account/account.messages.ts';
import { recordAudit } from '../audit.state.ts';
import { tokenRevoked } from './session.events.ts';
import { applicationKey, Session, userKey } from './session.messages.ts';
import { tokens } from './session.state.ts';
import type { SessionTurn } from './session.turn.ts';
import { withUse } from './used-from.ts';

export function issueToken(turn: SessionTurn, { audit, source, ...message }: BodyOf<typeof Session.issueToken>) {
  const present = turn.get(tokens, [turn.self.key]);
  if (present !== undefined) return { createdAt: present.createdAt, scopes: present.scopes };
  turn.put(tokens, [turn.self.key], { ...message, createdAt: turn.now, lastUsedDay: neverUsed });
  recordAudit(turn, audit, {
    targetId: message.accountId,
    name: audit?.name ?? '',
    after: { scopes: message.scopes.join(' ') },
  });
  const application = applicationKey(message.clientId);
  turn.tell(Session.applicationUsed.to(application, {}));
  if (message.accountId !== undefined) {
    turn.tell(Session.tokenIssued.to(userKey(message.accountId), { tokenId: tokenIdOf(turn) }));
    if (source !== undefined) {
      const { clientId } = message;
      turn.tell(Account.signedIn.to(message.accountId, { ...source, clientId, succeeded: true }));
    }
  } else turn.tell(Session.applicationTokenIssued.to(application, { tokenId: tokenIdOf(turn) }));
  return { createdAt: turn.now, scopes: message.scopes };
}

/** Issuing a token is no activity: an account that waits for approval gets one too. */
const neverUsed = 0;

/** Does nothing for a token that does not exist any more. */
export function revokeToken(turn: SessionTurn): undefined {
  const token = turn.get(tokens, [turn.self.key]);
  if (token === undefined) return;
  turn.delete(tokens, [turn.self.key]);
  const tokenId = tokenIdOf(turn);
  turn.emit(tokenRevoked, { tokenId, accountId: token.accountId });
  if (token.accountId !== undefined) {
    turn.tell(Session.tokenGone.to(userKey(token.accountId), { tokenId }));
    if (token.scopes.includes('push')) turn.tell(Account.pushTokenGone.to(token.accountId, { tokenId }));
  } else turn.tell(Session.applicationTokenGone.to(applicationKey(token.clientId), { tokenId }));
}

/** The account hears of it before it hears that the token is gone: messages between two actors keep their order. */
export function subscribeToPush(
  turn: SessionTurn,
  { subscription }: BodyOf<typeof Session.subscribeToPush>,
): DelegatedReply {
  const token = turn.get(tokens, [turn.self.key]);
  if (token?.accountId === undefined) throw new Failure('tokenInvalid');
  return turn.delegateReply(Account.subscribeToPush.to(token.accountId, { tokenId: tokenIdOf(turn), subscription }));
}

export function tokenUsed(turn: SessionTurn, { day, from }: BodyOf<typeof Session.tokenUsed>): undefined {
  const token = turn.get(tokens, [turn.self.key]);
  if (token === undefined) return;
  if (from !== undefined && token.accountId !== undefined) turn.tell(Account.addressUsed.to(token.accountId, from));
  const isNewDay = day > token.lastUsedDay;
  if (!isNewDay && (from === undefined || from.address === token.usedFrom?.address)) return;
  const lastUsedDay = Math.max(day, token.lastUsedDay);
  turn.put(tokens, [turn.self.key], { ...token, lastUsedDay, ...withUse(turn, token, from) });
  if (isNewDay && token.accountId !== undefined) turn.tell(Session.userActive.to(userKey(token.accountId), { day }));
}

function tokenIdOf(turn: SessionTurn): string {
  return turn.self.key.slice(tokenPrefix.length);
}

const tokenPrefix = 'token:';
