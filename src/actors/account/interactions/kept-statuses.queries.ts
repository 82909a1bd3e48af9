/**
 * Lists of statuses that an account stores: favourites, bookmarks. Each has two keyspaces: by status, and by the id of
 * the entry, which is the cursor of pages.
 */
import type { Id } from '../../../runtime/ids.ts';
import type { Keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';

/** Which of many statuses are in an account's list, in the order of the ids. */
export function keptAmong(byStatus: Keyspace<[bigint, bigint], unknown>) {
  return (reader: Reader, accountId: Id, statusIds: readonly Id[]): boolean[] =>
    statusIds.map((statusId) => reader.get(byStatus, [accountId, statusId]) !== undefined);
}

/** A page of an account's list, newest first. `show` maps each status to an item, undefined for one not shown. */
export function chooseKept(byEntry: Keyspace<[bigint, bigint], { readonly id: bigint }>) {
  return <Item>(
    reader: Reader,
    accountId: Id,
    bounds: PageBounds,
    show: (statusId: Id) => Item | undefined,
  ): Page<Item> =>
    takePage(
      reader.range(byEntry, [accountId], rangeOf(bounds)),
      bounds,
      ({ key }) => key[1],
      ({ value }) => show(value.id),
    );
}
