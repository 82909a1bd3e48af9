/** Queries that only federation needs: keys, local followers of a remote account, follows by their ActivityPub ids. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import { followerHosts, numbersOfHosts } from '../../partition/partition.state.ts';
import type { KeyPair, Profile } from '../profile/profile.records.ts';
import { keyPairs, profiles } from '../profile/profile.state.ts';
import {
  blocks,
  followerDistributions,
  followers,
  followersByTime,
  following,
  followRequests,
  followRequestsByTime,
} from '../relationships/relationships.state.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { replies, statuses, tombstones } from '../statuses/statuses.state.ts';

/** Follows or blocks of one account that are searched for an activity's id. */
const searchedEntriesMax = 1_000;

export function findProfile(reader: Reader, accountId: Id): Profile | undefined {
  return reader.get(profiles, [accountId]);
}

/** Undefined until the first pair was stored, and for remote accounts. */
export function findKeyPair(reader: Reader, accountId: Id): KeyPair | undefined {
  return reader.get(keyPairs, [accountId]);
}

/** The record, without any check of visibility. */
export function findStatusRecord(reader: Reader, statusId: Id): Status | undefined {
  return reader.get(statuses, [statusId]);
}

/** Whether this id was a public or unlisted status that was deleted. */
export function isDeletedStatus(reader: Reader, statusId: Id): boolean {
  return reader.get(tombstones, [statusId])?.wasForEverybody === true;
}

/** Whether a local account follows it. */
export function hasLocalFollowers(reader: Reader, accountId: Id): boolean {
  const reach = reader.get(followerDistributions, [accountId]);
  return reach?.local.some((count) => count > 0) ?? false;
}

/** The first `limit` followers of a remote account, all of which are local. */
export function localFollowersOf(reader: Reader, accountId: Id, limit: number): Id[] {
  return Array.from(reader.range(followers, [accountId], { limit }), ({ key }) => key[1]);
}

/** Whether an account of that host[:port] follows the local account. */
export function hasFollowersAt(snapshots: Snapshots, accountId: Id, host: string): boolean {
  for (const partition of snapshots.partitions) {
    const known = partition.get(numbersOfHosts, [host]);
    if (known !== undefined && partition.get(followerHosts, [accountId, known.number]) !== undefined) return true;
  }
  return false;
}

/** The follower, or requester, with this follow id. */
export function followerOfFollow(reader: Reader, targetId: Id, followId: Id): Id | undefined {
  const key: [Id, Id] = [targetId, followId];
  return (reader.get(followRequestsByTime, key) ?? reader.get(followersByTime, key))?.id;
}

/** The id of the follow, or request, of a follower. */
export function followIdAt(reader: Reader, targetId: Id, followerId: Id): Id | undefined {
  const key: [Id, Id] = [targetId, followerId];
  return (reader.get(followRequests, key) ?? reader.get(followers, key))?.id;
}

/** Whom a remote account follows by the Follow with this ActivityPub id. */
export function followedByUri(reader: Reader, followerId: Id, uri: string): Id | undefined {
  for (const { key, value } of reader.range(following, [followerId], { limit: searchedEntriesMax }))
    if (value.uri === uri) return key[1];
  return undefined;
}

/** Whom a remote account blocks by the Block with this ActivityPub id. */
export function blockedByUri(reader: Reader, blockerId: Id, uri: string): Id | undefined {
  for (const { key, value } of reader.range(blocks, [blockerId], { limit: searchedEntriesMax }))
    if (value.uri === uri) return key[1];
  return undefined;
}

/** Ids of direct replies to a status, oldest first. */
export function replyIdsOf(reader: Reader, statusId: Id, after: Id | undefined, limit: number): Id[] {
  const from = after === undefined ? undefined : after + 1n;
  return Array.from(reader.range(replies, [statusId], { from, limit }), ({ key }) => key[1]);
}
