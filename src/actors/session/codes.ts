/** Authorization codes (RFC 6749 section 4.1, RFC 7636 for PKCE): one use, ten minutes, bound to client and address. */
import type { BodyOf, DelegatedReply } from '../../runtime/contract.ts';
import { Failure } from '../../runtime/errors.ts';
import { Account } from '../account/account.messages.ts';
import { sessionLimits } from './limits.ts';
import { Session, tokenKey } from './session.messages.ts';
import { type Code, codes } from './session.state.ts';
import type { SessionTurn } from './session.turn.ts';

export function issueCode(turn: SessionTurn, message: BodyOf<typeof Session.issueCode>): undefined {
  if (turn.get(codes, [turn.self.key]) !== undefined) return;
  const expiresAt = turn.now + sessionLimits.codeMilliseconds;
  turn.put(codes, [turn.self.key], { ...message, expiresAt });
  turn.schedule(expiresAt, Session.forgetCode.to(turn.self.key, {}));
}

/**
 * Issues the token, once. A second exchange revokes that token (RFC 6749 section 4.1.2); this is a reply and not an
 * error, because a turn that throws writes nothing. Throws Failure invalidGrant for everything else that is wrong.
 */
export function exchangeCode(
  turn: SessionTurn,
  message: BodyOf<typeof Session.exchangeCode>,
): { reused: true } | DelegatedReply {
  const code = turn.get(codes, [turn.self.key]);
  if (code === undefined || code.expiresAt <= turn.now || !isFor(code, message)) throw new Failure('invalidGrant');
  if (code.tokenId !== undefined) {
    turn.tell(Session.dropToken.to(tokenKey(code.tokenId), {}));
    return { reused: true };
  }
  turn.put(codes, [turn.self.key], { ...code, tokenId: message.tokenId });
  const { clientId, applicationId, accountId, scopes, dialect } = code;
  const content = { kind: 'applicationAuthorized', tokenId: message.tokenId } as const;
  turn.tell(Account.mail.to(accountId, { content }));
  const { source } = message;
  return turn.delegateReply(
    Session.issueToken.to(tokenKey(message.tokenId), { clientId, applicationId, accountId, scopes, dialect, source }),
  );
}

function isFor(code: Code, message: BodyOf<typeof Session.exchangeCode>): boolean {
  return (
    code.clientId === message.clientId &&
    code.redirectUri === message.redirectUri &&
    code.challenge === message.challenge
  );
}

export function forgetCode(turn: SessionTurn): undefined {
  turn.delete(codes, [turn.self.key]);
}
