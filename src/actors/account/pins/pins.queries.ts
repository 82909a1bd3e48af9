/** Reads what an account has pinned. */
import { type Id, slotOfId } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { pinOf, pins } from './pins.state.ts';

/** Which of many statuses the account has pinned, in the order of the ids. Only its own statuses are looked up. */
export function pinnedAmong(reader: Reader, accountId: Id, statusIds: readonly Id[]): boolean[] {
  const slot = slotOfId(accountId);
  return statusIds.map(
    (statusId) => slotOfId(statusId) === slot && reader.get(pinOf, [accountId, statusId]) !== undefined,
  );
}

/** A page of an account's pins; the cursors are ids of pins. `show` maps each status to an item. */
export function choosePins<Item>(
  reader: Reader,
  accountId: Id,
  bounds: PageBounds,
  show: (statusId: Id) => Item | undefined,
): Page<Item> {
  return takePage(
    reader.range(pins, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => show(value.id),
  );
}
