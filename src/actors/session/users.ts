/** What belongs to all sessions of one account: its tokens, its browsers, and the day it was last active. */

import type { BodyOf } from '../../runtime/contract.ts';
import { recordAudit } from '../audit.state.ts';
import { moveActivity } from '../usage.state.ts';
import { sessionLimits } from './limits.ts';
import { browserKey, Session, tokenKey, userKey } from './session.messages.ts';
import { activity, browserSessionsOfUser, tokensOfUser } from './session.state.ts';
import type { SessionTurn } from './session.turn.ts';
import { listToken, unlistToken } from './token-lists.ts';

export function userActive(turn: SessionTurn, { day }: BodyOf<typeof Session.userActive>): undefined {
  const before = turn.get(activity, [turn.self.key]);
  if (before !== undefined && day <= before) return;
  turn.put(activity, [turn.self.key], day);
  moveActivity(turn, before, day);
}

export function tokenIssued(turn: SessionTurn, { tokenId }: BodyOf<typeof Session.tokenIssued>): undefined {
  listToken(turn, tokensOfUser, tokenId, sessionLimits.tokensPerAccountMax);
}

export function tokenGone(turn: SessionTurn, { tokenId }: BodyOf<typeof Session.tokenGone>): undefined {
  unlistToken(turn, tokensOfUser, tokenId);
}

export function revokeTokensOfUser(turn: SessionTurn, { audit }: BodyOf<typeof Session.revokeTokensOfUser>): undefined {
  recordAudit(turn, audit, { targetId: turn.self.key.slice(userKey(0n).length - 1), name: audit?.name ?? '' });
  for (const { value } of turn.range(tokensOfUser, [turn.self.key]))
    turn.tell(Session.dropToken.to(tokenKey(value.tokenId), {}));
}

export function closeBrowsersOfUser(turn: SessionTurn): undefined {
  for (const { value } of turn.range(browserSessionsOfUser, [turn.self.key]))
    turn.tell(Session.forgetBrowserSession.to(browserKey(value.sessionId), {}));
}

/** Above the bound the oldest session is closed. */
export function browserSessionOpened(
  turn: SessionTurn,
  { sessionId }: BodyOf<typeof Session.browserSessionOpened>,
): undefined {
  turn.put(browserSessionsOfUser, [turn.self.key, turn.nextId()], { sessionId });
  const listed = [...turn.range(browserSessionsOfUser, [turn.self.key])];
  for (const { value } of listed.slice(0, Math.max(0, listed.length - sessionLimits.browserSessionsPerAccountMax)))
    turn.tell(Session.forgetBrowserSession.to(browserKey(value.sessionId), {}));
}

export function browserSessionGone(
  turn: SessionTurn,
  { sessionId }: BodyOf<typeof Session.browserSessionGone>,
): undefined {
  for (const { key, value } of [...turn.range(browserSessionsOfUser, [turn.self.key])])
    if (value.sessionId === sessionId) turn.delete(browserSessionsOfUser, [turn.self.key, key[1]]);
}
