/** Reads counters of statuses, and finds statuses by their addresses. */
import { type Id, slotOfId } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import type { StatusCounters } from './statuses.records.ts';
import { idempotencyKeys, statusByUri, statusCounters } from './statuses.state.ts';

/** The counters of a status without reactions. */
export const noStatusCounters: StatusCounters = { favourites: 0, reblogs: 0, replies: 0, quotes: 0 };

export function countersOf(reader: Reader, statusId: Id): StatusCounters {
  return reader.get(statusCounters, [statusId]) ?? noStatusCounters;
}

/** As they are shown: what others have told of a remote one comes on top of what is known here. */
export function shownCountersOf(reader: Reader, statusId: Id): StatusCounters {
  const counters = countersOf(reader, statusId);
  const { favourites, reblogs, favouritesElsewhere = 0, reblogsElsewhere = 0 } = counters;
  if (favouritesElsewhere === 0 && reblogsElsewhere === 0) return counters;
  return { ...counters, favourites: favourites + favouritesElsewhere, reblogs: reblogs + reblogsElsewhere };
}

/** The id of a remote status or reblog by its ActivityPub id. Reads the partitions until it is found. */
export function statusIdOfUri(snapshots: Snapshots, uri: string): Id | undefined {
  for (const statusId of statusIdsOfUri(snapshots, uri)) return statusId;
  return undefined;
}

/** At most one for each partition. */
export function* statusIdsOfUri(snapshots: Snapshots, uri: string): Generator<Id> {
  for (const partition of snapshots.partitions) {
    const found = partition.get(statusByUri, [uri]);
    if (found !== undefined) yield found.id;
  }
}

/** Whether a partition other than the account's has a status with this ActivityPub id. */
export function isUriElsewhere({ partitions, placement }: Snapshots, uri: string, accountId: Id): boolean {
  const own = placement.partitionOf(slotOfId(accountId));
  return partitions.some((partition, number) => number !== own && partition.get(statusByUri, [uri]) !== undefined);
}

/** What the account published, or scheduled, under an idempotency key within the last hour; it may be deleted since. */
export function statusOfIdempotencyKey(reader: Reader, accountId: Id, key: string): Id | undefined {
  return reader.get(idempotencyKeys, [accountId, key])?.statusId;
}
