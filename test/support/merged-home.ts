/** Timelines merged in one step. */
import { homeStatusIds, listStatusIds } from '../../src/actors/account/home/home.queries.ts';
import type { PageBounds } from '../../src/actors/pages.ts';
import { atOnce } from '../../src/operations/presentation/slice.ts';
import { type Id, slotOfId } from '../../src/runtime/ids.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import type { Reader } from '../../src/runtime/storage/reader.ts';
import type { Snapshots } from '../../src/runtime/storage/snapshots.ts';
import type { Feeds, HomePage } from '../../src/services/feeds.ts';

export function mergedHome(reader: Reader, viewerId: Id, bounds: PageBounds): Id[] {
  return atOnce(homeStatusIds(reader, viewerId, bounds));
}

export function mergedList(reader: Reader, listId: Id, bounds: PageBounds): Id[] {
  return atOnce(listStatusIds(reader, listId, bounds));
}

/** Feeds without rings: every home and list is merged when it is read. */
export function mergedFeeds({
  read,
}: {
  readonly read: Snapshots;
}): Pick<Feeds, 'home' | 'list' | 'warmList' | 'homeInRing' | 'listInRing' | 'partitionOf'> {
  const placement = evenPlacement(read.partitions.length);
  const page = (ids: readonly Id[]): HomePage => ({ ids: BigUint64Array.from(ids), complete: true });
  return {
    home: (accountId, bounds) => page(mergedHome(read, accountId, bounds)),
    partitionOf: (accountId) => placement.partitionOf(slotOfId(accountId)),
    list: (listId, bounds) => page(mergedList(read, listId, bounds)),
    warmList: () => undefined,
    homeInRing: (accountId, maxId, limit) => BigUint64Array.from(mergedHome(read, accountId, { maxId, limit })),
    listInRing: (listId, maxId, limit) => BigUint64Array.from(mergedList(read, listId, { maxId, limit })),
  };
}
