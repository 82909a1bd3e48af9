/**
 * Reads follows, requests, blocks and mutes: whether there is one, and lists of them. Lists are pages over indexes by
 * time, whose cursors are the ids of the follows, requests, blocks and mutes.
 */
import type { Id } from '../../../runtime/ids.ts';
import type { Keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { anonymous, type Viewer } from '../../policy/visibility.ts';
import type { Profile } from '../profile/profile.records.ts';
import { type AccountView, findAccount } from '../statuses/statuses.queries.ts';
import type { Follower, Mute } from './relationships.records.ts';
import {
  blockedBy,
  blocks,
  blocksByTime,
  followers,
  followersByTime,
  followingByTime,
  followRequests,
  followRequestsByTime,
  mutes,
  mutesByTime,
} from './relationships.state.ts';

/** In this direction only. */
export function hasBlocked(reader: Reader, accountId: Id, targetId: Id): boolean {
  return reader.get(blocks, [accountId, targetId]) !== undefined;
}

function isInForce(mute: Mute, now: number): boolean {
  return mute.expiresAt === undefined || mute.expiresAt > now;
}

/** Whether the other account blocks this one. */
export function isBlockedBy(reader: Reader, accountId: Id, otherId: Id): boolean {
  return reader.get(blockedBy, [accountId, otherId]) !== undefined;
}

/** Whether the account has a pending request to follow. */
export function hasRequested(reader: Reader, targetId: Id, requesterId: Id): boolean {
  return reader.get(followRequests, [targetId, requesterId]) !== undefined;
}

/**
 * Whether a viewer may not see the lists of followers and followed accounts: by the owner's setting (specification
 * 4.2), or for the reasons of `isKeptFrom`. The owner always sees them.
 */
export function hidesLists(profile: Profile, viewer: Viewer): boolean {
  return isKeptFrom(profile, viewer) || (profile.hideCollections && viewer.accountId !== profile.id);
}

/** Whether a viewer is shown no lists of an account: it is suspended, or one of the two blocks the other. */
export function isKeptFrom({ id: accountId, suspendedAt }: Profile, viewer: Viewer): boolean {
  return suspendedAt !== undefined || (viewer.accountId !== accountId && viewer.blocks(accountId));
}

/** The cursors are ids of follows. */
export function followersOf(reader: Reader, accountId: Id, viewer: Viewer, bounds: PageBounds): Page<AccountView> {
  return pageOf(reader, followersByTime, accountId, bounds, (otherId) => shownAccount(reader, otherId, viewer));
}

/** The cursors are ids of follows. */
export function followedBy(reader: Reader, accountId: Id, viewer: Viewer, bounds: PageBounds): Page<AccountView> {
  return pageOf(reader, followingByTime, accountId, bounds, (otherId) => shownAccount(reader, otherId, viewer));
}

/** Who follows an account: a part of them, in the order of their ids. */
export function* storedFollowersOf(
  reader: Reader,
  accountId: Id,
  part: { readonly from: Id | undefined; readonly limit: number },
): Generator<readonly [Id, Follower]> {
  for (const { key, value } of reader.range(followers, [accountId], part)) yield [key[1], value];
}

/** Accounts with pending requests. The cursors are ids of requests. */
export function followRequestsOf(reader: Reader, accountId: Id, bounds: PageBounds): Page<AccountView> {
  return pageOf(reader, followRequestsByTime, accountId, bounds, (otherId) => shownAccount(reader, otherId, anonymous));
}

/** The cursors are ids of blocks. */
export function blocksOf(reader: Reader, accountId: Id, bounds: PageBounds): Page<AccountView> {
  return pageOf(reader, blocksByTime, accountId, bounds, (otherId) => findAccount(reader, otherId));
}

export interface MutedAccount extends AccountView {
  readonly mute: Mute;
}

/** The cursors are ids of mutes. */
export function mutesOf(reader: Reader, accountId: Id, bounds: PageBounds, now: number): Page<MutedAccount> {
  return pageOf(reader, mutesByTime, accountId, bounds, (otherId) => {
    const account = findAccount(reader, otherId);
    const mute = reader.get(mutes, [accountId, otherId]);
    return account === undefined || mute === undefined || !isInForce(mute, now) ? undefined : { ...account, mute };
  });
}

function pageOf<Item>(
  reader: Reader,
  space: Keyspace<[bigint, bigint], { id: bigint }>,
  accountId: Id,
  bounds: PageBounds,
  choose: (otherId: Id) => Item | undefined,
): Page<Item> {
  return takePage(
    reader.range(space, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => choose(value.id),
  );
}

export function shownAccount(reader: Reader, accountId: Id, viewer: Viewer): AccountView | undefined {
  if (viewer.accountId !== accountId && viewer.blocks(accountId)) return undefined;
  const account = findAccount(reader, accountId);
  return account?.profile.suspendedAt === undefined ? account : undefined;
}

/** The number of pending requests, counted up to a bound. */
export function countFollowRequests(reader: Reader, accountId: Id, countMax: number): number {
  let count = 0;
  for (const _request of reader.range(followRequestsByTime, [accountId], { limit: countMax })) count += 1;
  return count;
}
