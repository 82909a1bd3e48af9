/** Follows of remote accounts whose servers have not answered, or have forgotten them. */

import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Keyspace } from '../../../runtime/storage/keyspace.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { actingAccount, ownProfile, putProfile } from '../profile/profile.turn.ts';
import { takeBack } from '../relationships/follow-requests.ts';
import { deliver } from '../relationships/follower-distribution.ts';
import { relationshipLimits } from '../relationships/limits.ts';
import type { Follower } from '../relationships/relationships.records.ts';
import { followers, followRequests } from '../relationships/relationships.state.ts';

/** A follow that was not accepted by now waits until it is. */
export function followAnswerDue(turn: AccountTurn, message: BodyOf<typeof Account.followAnswerDue>): undefined {
  const { requesterId, followId } = message;
  const follower = turn.get(followers, [turn.self.key, requesterId]);
  if (follower?.id !== followId || follower.isUnanswered !== true) return;
  const told = takeBack(turn, requesterId);
  if (told !== undefined) turn.tell(told);
}

/**
 * Sends every Follow of a local account again, under its id: a server that knows it already answers it, or drops the
 * repetition. In slices, and once a day.
 */
export function followAgain(turn: AccountTurn, message: BodyOf<typeof Account.followAgain>): undefined {
  const { afterFollowerId, afterRequesterId } = message;
  if (afterFollowerId === undefined && afterRequesterId === undefined && !mayBegin(turn)) return;
  const present = sendSlice(turn, followers, afterFollowerId);
  const waiting = sendSlice(turn, followRequests, afterRequesterId);
  if (!present.isFull && !waiting.isFull) return;
  const next = { afterFollowerId: present.lastId, afterRequesterId: waiting.lastId };
  turn.tell(Account.followAgain.to(turn.self.key, next));
}

function mayBegin(turn: AccountTurn): boolean {
  const profile = ownProfile(turn);
  const { followedAgainAt = 0 } = profile;
  if (followedAgainAt > turn.now - relationshipLimits.followAgainMilliseconds) return false;
  putProfile(turn, { ...profile, followedAgainAt: turn.now });
  return true;
}

/** `lastId`: the last entry looked at; unchanged where there was none. */
function sendSlice(
  turn: AccountTurn,
  space: Keyspace<[Id, Id], Follower>,
  afterId: Id | undefined,
): { readonly lastId: Id | undefined; readonly isFull: boolean } {
  const { by: targetId, byDestination } = actingAccount(turn);
  const from = afterId === undefined ? undefined : afterId + 1n;
  const limit = relationshipLimits.movesToldPerTurn;
  const slice = [...turn.range(space, [targetId], { from, limit })];
  for (const { key, value } of slice) {
    if (byDestination === undefined || value.destination !== undefined) continue;
    const intent = { kind: 'follow', actorId: key[1], activityId: value.id, targetId, followId: value.id } as const;
    deliver(turn, intent, { toFollowers: false, destinations: [byDestination] });
  }
  return { lastId: slice.at(-1)?.key[1] ?? afterId, isFull: slice.length === limit };
}
