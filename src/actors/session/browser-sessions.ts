/** Sessions of users signed in to the pages: the browser has the secret in a cookie, the server its digest. */
import type { BodyOf, DelegatedReply } from '../../runtime/contract.ts';
import { Failure } from '../../runtime/errors.ts';
import { Account } from '../account/account.messages.ts';
import type { SignInSource } from '../account/sign-ins/sign-ins.records.ts';
import { sessionLimits } from './limits.ts';
import { browserSessionClosed } from './session.events.ts';
import { dayOf, Session, type UsedFrom, userKey } from './session.messages.ts';
import { browserSessions } from './session.state.ts';
import type { SessionTurn } from './session.turn.ts';
import { withUse } from './used-from.ts';

/** The account's list gives the reply, so that the session is in it when the user has signed in. */
export function openBrowserSession(
  turn: SessionTurn,
  { source, ...message }: BodyOf<typeof Session.openBrowserSession>,
): undefined | DelegatedReply {
  if (turn.get(browserSessions, [turn.self.key]) !== undefined) return;
  const expiresAt = turn.now + sessionLimits.browserSessionMilliseconds;
  const today = dayOf(turn.now);
  const used = withUse(turn, {}, usedFromOf(source));
  turn.put(browserSessions, [turn.self.key], {
    ...message,
    expiresAt,
    openedAt: turn.now,
    lastUsedDay: today,
    ...used,
  });
  turn.schedule(expiresAt, Session.browserSessionOver.to(turn.self.key, {}));
  const user = userKey(message.accountId);
  turn.tell(Session.userActive.to(user, { day: today }));
  if (source !== undefined) turn.tell(Account.signedIn.to(message.accountId, { ...source, succeeded: true }));
  return turn.delegateReply(Session.browserSessionOpened.to(user, { sessionId: sessionIdOf(turn) }));
}

function usedFromOf(source: SignInSource | undefined): UsedFrom | undefined {
  return source?.address === undefined ? undefined : { address: source.address, until: source.until };
}

/** Does nothing for a session that is closed already. */
export function closeBrowserSession(turn: SessionTurn): undefined {
  const session = turn.get(browserSessions, [turn.self.key]);
  if (session === undefined) return;
  turn.delete(browserSessions, [turn.self.key]);
  turn.emit(browserSessionClosed, { accountId: session.accountId });
  const sessionId = sessionIdOf(turn);
  turn.tell(Session.browserSessionGone.to(userKey(session.accountId), { sessionId }));
  if (session.isPushed) turn.tell(Account.pushTokenGone.to(session.accountId, { tokenId: sessionId }));
}

/** One timer for each session: uses move the end, and it looks again then. */
export function browserSessionOver(turn: SessionTurn): undefined {
  const session = turn.get(browserSessions, [turn.self.key]);
  if (session === undefined) return;
  if (session.expiresAt <= turn.now) closeBrowserSession(turn);
  else turn.schedule(session.expiresAt, Session.browserSessionOver.to(turn.self.key, {}));
}

/** The account hears of it before it hears that the session is closed: messages between two actors keep their order. */
export function subscribeBrowserToPush(
  turn: SessionTurn,
  { subscription }: BodyOf<typeof Session.subscribeBrowserToPush>,
): DelegatedReply {
  const session = turn.get(browserSessions, [turn.self.key]);
  if (session === undefined || session.expiresAt <= turn.now) throw new Failure('tokenInvalid');
  turn.put(browserSessions, [turn.self.key], { ...session, isPushed: true });
  const asked = { ...subscription, isOfBrowser: true };
  return turn.delegateReply(
    Account.subscribeToPush.to(session.accountId, { tokenId: sessionIdOf(turn), subscription: asked }),
  );
}

/** Once a day, which makes it last from then on. */
export function browserSessionUsed(
  turn: SessionTurn,
  { day, from }: BodyOf<typeof Session.browserSessionUsed>,
): undefined {
  const session = turn.get(browserSessions, [turn.self.key]);
  if (session === undefined) return;
  if (from !== undefined) turn.tell(Account.addressUsed.to(session.accountId, from));
  if (day <= session.lastUsedDay) return;
  const used = withUse(turn, session, from);
  const expiresAt = turn.now + sessionLimits.browserSessionMilliseconds;
  turn.put(browserSessions, [turn.self.key], { ...session, lastUsedDay: day, expiresAt, ...used });
  turn.tell(Session.userActive.to(userKey(session.accountId), { day }));
}

function sessionIdOf(turn: SessionTurn): string {
  return turn.self.key.slice(browserPrefix.length);
}

const browserPrefix = 'browser:';
