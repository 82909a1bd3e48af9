/** Reads whom an account features. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import type { ChooseAccount } from '../relationships/relationships.queries.ts';
import { endorsementsByTime } from './endorsements.state.ts';

/** The cursors are ids of endorsements. */
export function endorsementsOf<Account>(
  reader: Reader,
  accountId: Id,
  choose: ChooseAccount<Account>,
  bounds: PageBounds,
): Page<Account> {
  return takePage(
    reader.range(endorsementsByTime, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => choose(value.id),
  );
}
