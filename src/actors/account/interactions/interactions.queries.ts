/** Reads what accounts have favourited and reblogged, and who did, as far as a viewer may know. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { maySee, type Viewer } from '../../policy/visibility.ts';
import type { ChooseAccount } from '../relationships/relationships.queries.ts';
import { statuses } from '../statuses/statuses.state.ts';
import {
  favouriteOf,
  favouriteOfStatusBy,
  favourites,
  favouritesOfStatus,
  reblogOf,
  reblogOfStatusBy,
  reblogsOfStatus,
} from './interactions.state.ts';
import { chooseKept, keptAmong } from './kept-statuses.queries.ts';

export const favouritedAmong = keptAmong(favouriteOf);
export const rebloggedAmong = keptAmong(reblogOf);
export const chooseFavourites = chooseKept(favourites);

/** Whether both sides have stored it: one that only one has is completed by the next message. */
export function isFavouriteOfBoth(reader: Reader, statusId: Id, by: Id): boolean {
  const kept = reader.get(favouriteOf, [by, statusId]);
  return kept !== undefined && kept.id === reader.get(favouriteOfStatusBy, [statusId, by])?.id;
}

/** The cursors are ids of favourites. */
export function favouritersOf<Account>(
  reader: Reader,
  statusId: Id,
  choose: ChooseAccount<Account>,
  bounds: PageBounds,
): Page<Account> {
  return takePage(
    reader.range(favouritesOfStatus, [statusId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => choose(value.id),
  );
}

/** The cursors are ids of reblogs. A reblog that the viewer may not see does not reveal its account. */
export function rebloggersOf<Account>(
  reader: Reader,
  statusId: Id,
  choose: ChooseAccount<Account>,
  bounds: PageBounds,
  viewer: Viewer,
): Page<Account> {
  return takePage(
    reader.range(reblogsOfStatus, [statusId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ key, value }) => {
      const reblog = reader.get(statuses, [key[1]]);
      return reblog !== undefined && maySee(reblog, viewer) ? choose(value.id) : undefined;
    },
  );
}

/** Who has reblogged or favourited a status: at most `limit` of each. */
export function* reactingAccounts(reader: Reader, statusId: Id, limit: number): Generator<Id> {
  for (const { key } of reader.range(reblogOfStatusBy, [statusId], { limit })) yield key[1];
  for (const { key } of reader.range(favouriteOfStatusBy, [statusId], { limit })) yield key[1];
}
