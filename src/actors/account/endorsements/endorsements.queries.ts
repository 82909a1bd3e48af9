/** Reads whom an account features. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import type { Viewer } from '../../policy/visibility.ts';
import { shownAccount } from '../relationships/relationships.queries.ts';
import type { AccountView } from '../statuses/statuses.queries.ts';
import { endorsementsByTime } from './endorsements.state.ts';

/** As shown to a viewer. The cursors are ids of endorsements. */
export function endorsementsOf(reader: Reader, accountId: Id, viewer: Viewer, bounds: PageBounds): Page<AccountView> {
  return takePage(
    reader.range(endorsementsByTime, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => shownAccount(reader, value.id, viewer),
  );
}
