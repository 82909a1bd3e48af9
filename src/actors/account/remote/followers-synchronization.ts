/**
 * Makes the followers of a remote account what its server says they are (FEP-8fcf). Who is no follower there does not
 * follow here either; a follow that waits is accepted; a follow that does not exist is undone there.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { actingAccount, ownProfile, putProfile } from '../profile/profile.turn.ts';
import { deliver } from '../relationships/follower-distribution.ts';
import { relationshipLimits } from '../relationships/limits.ts';
import type { Follower } from '../relationships/relationships.records.ts';
import { followers, followRequests } from '../relationships/relationships.state.ts';
import { fetchFollowers } from './remote.effects.ts';

/** At most once within this age, however many posts show the disagreement. */
export function refreshFollowers(
  turn: AccountTurn,
  { url, ageMilliseconds }: BodyOf<typeof Account.refreshFollowers>,
): undefined {
  const profile = ownProfile(turn);
  if (profile.remote === undefined || profile.suspendedAt !== undefined) return;
  if ((profile.followersAskedAt ?? 0) > turn.now - ageMilliseconds) return;
  putProfile(turn, { ...profile, followersAskedAt: turn.now });
  turn.effect(fetchFollowers, { uri: profile.remote.uri, url }, Account.refreshed);
}

/** In slices of the accounts on either side. */
export function receiveFollowers(
  turn: AccountTurn,
  { followerIds, afterFollowerId }: BodyOf<typeof Account.receiveFollowers>,
): undefined {
  const from = afterFollowerId === undefined ? undefined : afterFollowerId + 1n;
  const limit = relationshipLimits.synchronizedPerTurn;
  const here = new Map<Id, Follower>();
  for (const { key, value } of turn.range(followers, [turn.self.key], { from, limit })) here.set(key[1], value);
  const left = from === undefined ? followerIds : followerIds.filter((id) => id >= from);
  const there = new Set(left.slice(0, limit));
  const lastId = lastCompared([...here.keys()], [...there], limit);
  const isCompared = (id: Id) => lastId === undefined || id <= lastId;
  for (const [id, follower] of here) if (isCompared(id) && !there.has(id)) endFollow(turn, id, follower);
  for (const id of there) if (isCompared(id)) confirmFollow(turn, id, here.get(id));
  if (lastId === undefined) return;
  turn.tell(Account.receiveFollowers.to(turn.self.key, { followerIds: left, afterFollowerId: lastId }));
}

/** How far both lists are known; undefined when they are known to their ends. */
function lastCompared(here: readonly Id[], there: readonly Id[], limit: number): Id | undefined {
  let last: Id | undefined;
  for (const ids of [here, there]) {
    const end = ids.length === limit ? ids.at(-1) : undefined;
    if (end !== undefined && (last === undefined || end < last)) last = end;
  }
  return last;
}

/** One that its server has not accepted so far is known to wait. */
function endFollow(turn: AccountTurn, requesterId: Id, { isUnanswered }: Follower): void {
  if (isUnanswered !== true) turn.tell(Account.rejectFollow.to(turn.self.key, { requesterId }));
}

function confirmFollow(turn: AccountTurn, followerId: Id, follower: Follower | undefined): void {
  if (follower !== undefined && follower.isUnanswered !== true) return;
  if (follower !== undefined || turn.get(followRequests, [turn.self.key, followerId]) !== undefined)
    turn.tell(Account.authorizeFollow.to(turn.self.key, { requesterId: followerId }));
  else tellNoFollow(turn, followerId);
}

/** The server of this account is told that a local one does not follow it. */
function tellNoFollow(turn: AccountTurn, actorId: Id): void {
  const { by: targetId, byDestination } = actingAccount(turn);
  if (byDestination === undefined) return;
  const [activityId, followId] = [turn.nextId(), turn.nextId()];
  const intent = { kind: 'undoFollow', actorId, activityId, targetId, followId } as const;
  deliver(turn, intent, { toFollowers: false, destinations: [byDestination] });
}
