/** What accounts have favourited and reblogged, and who did it, as one viewer may know it. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { maySee, type Viewer } from '../../policy/visibility.ts';
import { type AccountView, findAccount } from '../statuses/statuses.queries.ts';
import { replies, statuses } from '../statuses/statuses.state.ts';
import {
  favouriteOf,
  favouriteOfStatusBy,
  favourites,
  favouritesOfStatus,
  reblogOf,
  reblogOfStatusBy,
  reblogsOfStatus,
} from './interactions.state.ts';

/** Which of many statuses the account has favourited, in the order of the ids. */
export function favouritedAmong(reader: Reader, accountId: Id, statusIds: readonly Id[]): boolean[] {
  return statusIds.map((statusId) => reader.get(favouriteOf, [accountId, statusId]) !== undefined);
}

/** Which of many statuses the account has reblogged, in the order of the ids. */
export function rebloggedAmong(reader: Reader, accountId: Id, statusIds: readonly Id[]): boolean[] {
  return statusIds.map((statusId) => reader.get(reblogOf, [accountId, statusId]) !== undefined);
}

/** A page of what an account has favourited; the cursors are ids of favourites. `show` says what becomes of a status. */
export function chooseFavourites<Item>(
  reader: Reader,
  accountId: Id,
  bounds: PageBounds,
  show: (statusId: Id) => Item | undefined,
): Page<Item> {
  return takePage(
    reader.range(favourites, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => show(value.id),
  );
}

/** The cursors are ids of favourites. */
export function favouritersOf(reader: Reader, statusId: Id, viewer: Viewer, bounds: PageBounds): Page<AccountView> {
  return takePage(
    reader.range(favouritesOfStatus, [statusId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => shownAccount(reader, value.id, viewer),
  );
}

/** The cursors are ids of reblogs. A reblog that the viewer may not see does not tell who made it. */
export function rebloggersOf(reader: Reader, statusId: Id, viewer: Viewer, bounds: PageBounds): Page<AccountView> {
  return takePage(
    reader.range(reblogsOfStatus, [statusId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ key, value }) => {
      const reblog = reader.get(statuses, [key[1]]);
      return reblog !== undefined && maySee(reblog, viewer) ? shownAccount(reader, value.id, viewer) : undefined;
    },
  );
}

/** Who has reblogged, favourited or answered a status: at most so many of each. */
export function* interactingAccounts(reader: Reader, statusId: Id, limit: number): Generator<Id> {
  for (const { key } of reader.range(reblogOfStatusBy, [statusId], { limit })) yield key[1];
  for (const { key } of reader.range(favouriteOfStatusBy, [statusId], { limit })) yield key[1];
  for (const { key } of reader.range(replies, [statusId], { limit })) {
    const reply = reader.get(statuses, [key[1]]);
    if (reply !== undefined) yield reply.accountId;
  }
}

function shownAccount(reader: Reader, accountId: Id, viewer: Viewer): AccountView | undefined {
  if (viewer.accountId !== accountId && viewer.blocks(accountId)) return undefined;
  const account = findAccount(reader, accountId);
  return account?.profile.suspendedAt === undefined ? account : undefined;
}
