/**
 * Reads follows, requests, blocks and mutes: whether there is one, and lists of them. Lists are pages over indexes by
 * time, whose cursors are the ids of the follows, requests, blocks and mutes.
 */

import type { Id } from '../../../runtime/ids.ts';
import type { Keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import type { Viewer } from '../../policy/visibility.ts';
import type { Profile } from '../profile/profile.records.ts';
import { type AccountView, findAccount } from '../profile/profiles.queries.ts';
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

/** Which accounts of a list are shown, and as what: undefined leaves one out. */
export type ChooseAccount<Account> = (accountId: Id) => Account | undefined;

/** Chooses those that a viewer may see, read from storage: neither suspended nor behind a block. */
export function shownAccounts(reader: Reader, viewer: Viewer): ChooseAccount<AccountView> {
  return (accountId) => shownAccount(reader, accountId, viewer);
}

/** Chooses all, also suspended ones, read from storage. */
export function allAccounts(reader: Reader): ChooseAccount<AccountView> {
  return (accountId) => findAccount(reader, accountId);
}

/** The cursors are ids of follows. */
export function followersOf<Account>(
  reader: Reader,
  accountId: Id,
  choose: ChooseAccount<Account>,
  bounds: PageBounds,
): Page<Account> {
  return pageOf(reader, followersByTime, accountId, bounds, choose);
}

/** The cursors are ids of follows. */
export function followedBy<Account>(
  reader: Reader,
  accountId: Id,
  choose: ChooseAccount<Account>,
  bounds: PageBounds,
): Page<Account> {
  return pageOf(reader, followingByTime, accountId, bounds, choose);
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
export function followRequestsOf<Account>(
  reader: Reader,
  accountId: Id,
  choose: ChooseAccount<Account>,
  bounds: PageBounds,
): Page<Account> {
  return pageOf(reader, followRequestsByTime, accountId, bounds, choose);
}

/** The cursors are ids of blocks. */
export function blocksOf<Account>(
  reader: Reader,
  accountId: Id,
  choose: ChooseAccount<Account>,
  bounds: PageBounds,
): Page<Account> {
  return pageOf(reader, blocksByTime, accountId, bounds, choose);
}

export interface Muted<Account> {
  readonly account: Account;
  readonly mute: Mute;
}

/** The cursors are ids of mutes. */
export function mutesOf<Account>(
  reader: Reader,
  accountId: Id,
  choose: ChooseAccount<Account>,
  bounds: PageBounds,
  now: number,
): Page<Muted<Account>> {
  return pageOf(reader, mutesByTime, accountId, bounds, (otherId) => {
    const account = choose(otherId);
    const mute = reader.get(mutes, [accountId, otherId]);
    return account === undefined || mute === undefined || !isInForce(mute, now) ? undefined : { account, mute };
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

/** The ids of the follows of an account by others, whose times are those of the follows; oldest first. */
export function* followerIdsOf(reader: Reader, accountId: Id): Generator<Id> {
  for (const { key } of reader.range(followersByTime, [accountId])) yield key[1];
}

/** The same of those of others by the account. */
export function* followIdsOf(reader: Reader, accountId: Id): Generator<Id> {
  for (const { key } of reader.range(followingByTime, [accountId])) yield key[1];
}
