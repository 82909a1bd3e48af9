/** Sessions of people who signed in to the pages: the browser has the secret in a cookie, the server its digest. */
import type { BodyOf } from '../../runtime/contract.ts';
import { sessionLimits } from './limits.ts';
import { dayOf, Session, userKey } from './session.messages.ts';
import { browserSessions } from './session.state.ts';
import type { SessionTurn } from './session.turn.ts';

export function openBrowserSession(turn: SessionTurn, message: BodyOf<typeof Session.openBrowserSession>): undefined {
  if (turn.get(browserSessions, [turn.self.key]) !== undefined) return;
  const expiresAt = turn.now + sessionLimits.browserSessionMilliseconds;
  turn.put(browserSessions, [turn.self.key], { ...message, expiresAt });
  turn.schedule(expiresAt, Session.forgetBrowserSession.to(turn.self.key, {}));
  turn.tell(Session.userActive.to(userKey(message.accountId), { day: dayOf(turn.now) }));
}

export function closeBrowserSession(turn: SessionTurn): undefined {
  turn.delete(browserSessions, [turn.self.key]);
}
