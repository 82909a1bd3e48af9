/**
 * Refreshes remote accounts: an old profile is fetched again when the account is used. Accounts that it follows, or that
 * feature it in collections, are informed when its inbox has moved.
 */

import type { BodyOf } from '../../../runtime/contract.ts';
import { isSuspendedHere } from '../../policy/suspension.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { featurings } from '../collections/collections.state.ts';
import { moveMember } from '../collections/curating.ts';
import type { RemoteAddresses } from '../profile/profile.records.ts';
import { profiles } from '../profile/profile.state.ts';
import { actingAccount, putProfile } from '../profile/profile.turn.ts';
import { relationshipLimits } from '../relationships/limits.ts';
import { followers, following, followRequests } from '../relationships/relationships.state.ts';
import { addRequest, replaceFollower } from '../relationships/store-follow.ts';
import { refreshProfile } from './remote.effects.ts';

/** Asks its server, unless that was done within this age; a server that fails is not asked again sooner. */
export function refresh(turn: AccountTurn, { ageMilliseconds }: BodyOf<typeof Account.refresh>): undefined {
  const profile = turn.get(profiles, [turn.self.key]);
  if (profile?.remote === undefined || isSuspendedHere(profile)) return;
  const { fetchedAt = 0, refreshAskedAt = 0 } = profile;
  if (Math.max(fetchedAt, refreshAskedAt) > turn.now - ageMilliseconds) return;
  putProfile(turn, { ...profile, refreshAskedAt: turn.now });
  turn.effect(refreshProfile, { uri: profile.remote.uri }, Account.refreshed);
}

/** The effect has ended. Its result was stored already. */
export function refreshed(): undefined {
  return undefined;
}

/** Whether deliveries to its followers' inboxes change. */
export function hasMoved(before: RemoteAddresses, after: RemoteAddresses): boolean {
  return before.inbox !== after.inbox || before.sharedInbox !== after.sharedInbox;
}

/** Informs the accounts it follows, then the curators of the collections it is in, in slices. */
export function tellInbox(turn: AccountTurn, message: BodyOf<typeof Account.tellInbox>): undefined {
  const { afterTargetId, afterCollectionId } = message;
  const { by, byDestination } = actingAccount(turn);
  if (byDestination === undefined) return;
  const self = turn.self.key;
  const limit = relationshipLimits.movesToldPerTurn;
  const tell = (targetId: bigint) => turn.tell(Account.followerInbox.to(targetId, { by, byDestination }));
  if (afterCollectionId === undefined) {
    const from = afterTargetId === undefined ? undefined : afterTargetId + 1n;
    const slice = Array.from(turn.range(following, [self], { from, limit }), ({ key }) => key[1]);
    slice.forEach(tell);
    const next = slice.length === limit ? { afterTargetId: slice.at(-1)! } : { afterCollectionId: 0n };
    turn.tell(Account.tellInbox.to(self, next));
    return;
  }
  const slice = [...turn.range(featurings, [self], { from: afterCollectionId + 1n, limit })];
  for (const { value } of slice) tell(value.ownerId);
  if (slice.length === limit) turn.tell(Account.tellInbox.to(self, { afterCollectionId: slice.at(-1)!.key[1] }));
}

/** Runs on an account that it follows or has asked to follow, or that features it: its inbox has changed. */
export function followerInbox(turn: AccountTurn, message: BodyOf<typeof Account.followerInbox>): undefined {
  const { by, byDestination: destination } = message;
  const key: [bigint, bigint] = [turn.self.key, by];
  const follower = turn.get(followers, key);
  if (follower !== undefined) replaceFollower(turn, by, follower, { ...follower, destination });
  const request = turn.get(followRequests, key);
  if (request !== undefined) addRequest(turn, by, { ...request, destination });
  moveMember(turn, by, destination);
}
