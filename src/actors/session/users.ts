/** What belongs to all sessions of one account: the list of its tokens, and the day it was last active. */

import { sessionLimits } from '../../runtime/limits.ts';
import { moveActivity } from '../usage.state.ts';
import { Session, tokenKey } from './session.messages.ts';
import { activity, tokensOfUser } from './session.state.ts';
import type { BodyOf, SessionTurn } from './session.turn.ts';

export function userActive(turn: SessionTurn, { day }: BodyOf<typeof Session.userActive>): undefined {
  const before = turn.get(activity, [turn.self.key]);
  if (before !== undefined && day <= before) return;
  turn.put(activity, [turn.self.key], day);
  moveActivity(turn, before, day);
}

/** Above the bound the oldest token goes. */
export function tokenIssued(turn: SessionTurn, { tokenId }: BodyOf<typeof Session.tokenIssued>): undefined {
  turn.put(tokensOfUser, [turn.self.key, turn.nextId()], { tokenId });
  const listed = [...turn.range(tokensOfUser, [turn.self.key])];
  for (const { value } of listed.slice(0, Math.max(0, listed.length - sessionLimits.tokensPerAccountMax)))
    turn.tell(Session.dropToken.to(tokenKey(value.tokenId), {}));
}

export function tokenGone(turn: SessionTurn, { tokenId }: BodyOf<typeof Session.tokenGone>): undefined {
  for (const { key, value } of [...turn.range(tokensOfUser, [turn.self.key])]) {
    if (value.tokenId === tokenId) turn.delete(tokensOfUser, [turn.self.key, key[1]]);
  }
}

export function revokeTokensOfUser(turn: SessionTurn): undefined {
  for (const { value } of turn.range(tokensOfUser, [turn.self.key]))
    turn.tell(Session.dropToken.to(tokenKey(value.tokenId), {}));
}
