/**
 * Writes the records of a follow. It has two ends: the follower's (`following`) and the followed account's
 * (`followers`, or `followRequests` while pending). Each end is written by its own account, together with its index by
 * time, its counters and, at the followed end, the follower distribution that decides where posts go.
 */

import type { Id } from '../../../runtime/ids.ts';
import { Domain } from '../../domain/domain.messages.ts';
import type { Destination } from '../../intents.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { relationshipHooks } from '../hooks-of-relationships.ts';
import { countAccount, isLocal } from '../profile/profile.turn.ts';
import { countFollowerAt, setPostNotification } from './follower-distribution.ts';
import { followChanged } from './relationships.events.ts';
import type { Follow, Follower } from './relationships.records.ts';
import {
  followers,
  followersByTime,
  following,
  followingByTime,
  followRequests,
  followRequestsByTime,
} from './relationships.state.ts';

/**
 * Writes the follower's end in a new state. Where that begins or ends a follow, it is counted and feeds are informed.
 */
export function putFollowing(turn: AccountTurn, targetId: Id, follow: Follow, before: Follow['state']): void {
  turn.put(following, [turn.self.key, targetId], follow);
  if (follow.state === before) return;
  if (follow.state === 'accepted' && follow.replaces !== undefined) replaceFormer(turn, targetId, follow.replaces);
  if (follow.state === 'accepted') turn.put(followingByTime, [turn.self.key, follow.id], { id: targetId });
  else {
    turn.delete(followingByTime, [turn.self.key, follow.id]);
    for (const hooks of relationshipHooks) hooks.unfollowed?.(turn, targetId);
  }
  countAccount(turn, { following: follow.state === 'accepted' ? 1 : -1 });
  tellFollowChanged(turn, targetId, follow, follow.state === 'accepted');
}

/** A followed account has moved to this one. */
function replaceFormer(turn: AccountTurn, targetId: Id, former: NonNullable<Follow['replaces']>): void {
  const { accountId: formerId, destination: formerDestination } = former;
  turn.tell(Account.followReplaced.to(turn.self.key, { formerId, formerDestination, targetId }));
}

/** Removes the follower's end, with everything that exists only while following; undefined when there was none. */
export function removeFollowing(turn: AccountTurn, targetId: Id): Follow | undefined {
  const follow = turn.get(following, [turn.self.key, targetId]);
  if (follow === undefined) return undefined;
  turn.delete(following, [turn.self.key, targetId]);
  for (const hooks of relationshipHooks) hooks.unfollowed?.(turn, targetId);
  if (follow.state === 'accepted') {
    turn.delete(followingByTime, [turn.self.key, follow.id]);
    countAccount(turn, { following: -1 });
    tellFollowChanged(turn, targetId, follow, false);
  }
  return follow;
}

/** Feeds exist for local accounts only. */
export function tellFollowChanged(turn: AccountTurn, targetId: Id, follow: Follow, isFollowing: boolean): void {
  if (!isLocal(turn)) return;
  const { showReblogs, languages } = follow;
  turn.emit(followChanged, { accountId: turn.self.key, targetId, following: isFollowing, showReblogs, languages });
}

/** Adds a new follower. */
export function addFollower(turn: AccountTurn, followerId: Id, follower: Follower): void {
  const { destination } = follower;
  turn.put(followers, [turn.self.key, followerId], follower);
  turn.put(followersByTime, [turn.self.key, follower.id], { id: followerId });
  countAccount(turn, { followers: 1 });
  countFollowerAt(turn, followerId, destination?.host, 1);
  if (destination === undefined) {
    if (follower.notify) setPostNotification(turn, followerId, true);
    return;
  }
  const { host, ...inboxes } = destination;
  turn.tell(Domain.followerGained.to(host, { accountId: turn.self.key, followerId, ...inboxes }));
}

/** The same follow, requested again: with other options, or from another address. */
export function replaceFollower(turn: AccountTurn, followerId: Id, before: Follower, follower: Follower): void {
  if (isSamePlace(before.destination, follower.destination) && before.id === follower.id) {
    turn.put(followers, [turn.self.key, followerId], follower);
    if (before.notify !== follower.notify && follower.destination === undefined)
      setPostNotification(turn, followerId, follower.notify);
    return;
  }
  removeFollower(turn, followerId);
  addFollower(turn, followerId, follower);
}

/** Compares hosts too: the distribution and domain actors count a follower by its host. */
function isSamePlace(one: Destination | undefined, other: Destination | undefined): boolean {
  return one?.host === other?.host && one?.inbox === other?.inbox && one?.sharedInbox === other?.sharedInbox;
}

export function removeFollower(turn: AccountTurn, followerId: Id): Follower | undefined {
  const follower = turn.get(followers, [turn.self.key, followerId]);
  if (follower === undefined) return undefined;
  turn.delete(followers, [turn.self.key, followerId]);
  turn.delete(followersByTime, [turn.self.key, follower.id]);
  countAccount(turn, { followers: -1 });
  const host = follower.destination?.host;
  countFollowerAt(turn, followerId, host, -1);
  if (follower.notify) setPostNotification(turn, followerId, false);
  if (host !== undefined) turn.tell(Domain.followerLost.to(host, { accountId: turn.self.key, followerId }));
  return follower;
}

export function addRequest(turn: AccountTurn, requesterId: Id, request: Follower): void {
  turn.put(followRequests, [turn.self.key, requesterId], request);
  turn.put(followRequestsByTime, [turn.self.key, request.id], { id: requesterId });
}

export function removeRequest(turn: AccountTurn, requesterId: Id): Follower | undefined {
  const request = turn.get(followRequests, [turn.self.key, requesterId]);
  if (request === undefined) return undefined;
  turn.delete(followRequests, [turn.self.key, requesterId]);
  turn.delete(followRequestsByTime, [turn.self.key, request.id]);
  return request;
}

/** Removes the other account's follow or request. */
export function removeFollowerOrRequest(turn: AccountTurn, otherId: Id): Follower | undefined {
  return removeFollower(turn, otherId) ?? removeRequest(turn, otherId);
}
