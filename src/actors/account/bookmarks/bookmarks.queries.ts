/** What an account has bookmarked. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { bookmarkOf, bookmarks } from './bookmarks.state.ts';

/** Which of many statuses the account has bookmarked, in the order of the ids. */
export function bookmarkedAmong(reader: Reader, accountId: Id, statusIds: readonly Id[]): boolean[] {
  return statusIds.map((statusId) => reader.get(bookmarkOf, [accountId, statusId]) !== undefined);
}

/** A page of an account's bookmarks; the cursors are their ids. `show` says what becomes of a status. */
export function chooseBookmarks<Item>(
  reader: Reader,
  accountId: Id,
  bounds: PageBounds,
  show: (statusId: Id) => Item | undefined,
): Page<Item> {
  return takePage(
    reader.range(bookmarks, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => show(value.id),
  );
}
