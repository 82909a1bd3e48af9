/**
 * Lists of statuses that an account stores: favourites, bookmarks. Each has two keyspaces: by status, and by the id of
 * the entry, which is the cursor of pages.
 */

import { present } from '../../../runtime/codec.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';

/** From so many on, one range is less work than looking each of them up. */
const rangedMin = 8;

/**
 * Which of many statuses are in an account's list, in the order of the ids. Those of a page or a thread are near each
 * other in time, and an account has kept few of that time: one range finds them.
 */
export function keptAmong(byStatus: Keyspace<[bigint, bigint], unknown>) {
  const byStatusOnly: Keyspace<[bigint, bigint], true> = { ...byStatus, value: present };
  return (reader: Reader, accountId: Id, statusIds: readonly Id[]): boolean[] => {
    const near = statusIds.length < rangedMin ? undefined : keptNear(reader, byStatusOnly, accountId, statusIds);
    if (near !== undefined) return near.size === 0 ? statusIds.map(() => false) : statusIds.map((id) => near.has(id));
    return statusIds.map((statusId) => reader.get(byStatus, [accountId, statusId]) !== undefined);
  };
}

/** Undefined where more than these were kept in their time. */
function keptNear(
  reader: Reader,
  byStatus: Keyspace<[bigint, bigint], true>,
  accountId: Id,
  statusIds: readonly Id[],
): ReadonlySet<Id> | undefined {
  let [from, last] = [statusIds[0]!, statusIds[0]!];
  for (const id of statusIds) {
    if (id < from) from = id;
    else if (id > last) last = id;
  }
  const found = new Set<Id>();
  const query = { from, until: last + 1n, limit: statusIds.length + 1 };
  for (const { key } of reader.range(byStatus, [accountId], query)) found.add(key[1]);
  return found.size > statusIds.length ? undefined : found;
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
