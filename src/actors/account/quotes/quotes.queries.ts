/** Reads who quotes a status. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { quotesOfStatus } from './quotes.state.ts';

/** A page of the quotes of a status, newest first. `show` returns undefined for those not shown to the viewer. */
export function chooseQuotes<Item>(
  reader: Reader,
  statusId: Id,
  bounds: PageBounds,
  show: (quoteId: Id) => Item | undefined,
): Page<Item> {
  return takePage(
    reader.range(quotesOfStatus, [statusId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ key, value }) => (value.isRevoked === true ? undefined : show(key[1])),
  );
}

/**
 * The status of a local author that this quote may quote. For a moment only one of the two accounts has stored the
 * acceptance; both are read, because a server that was informed of the quote may ask at once.
 */
export function authorizedQuote(reader: Reader, authorId: Id, quoteId: Id): Id | undefined {
  const quote = reader.get(statuses, [quoteId])?.quote;
  if (quote?.accountId !== authorId) return undefined;
  const kept = reader.get(quotesOfStatus, [quote.statusId, quoteId]);
  const isAuthorized = kept === undefined ? quote.state === 'accepted' : kept.isRevoked !== true;
  return isAuthorized ? quote.statusId : undefined;
}

/** Accounts that quote a status: at most `limit`. */
export function* quotingAccounts(reader: Reader, statusId: Id, limit: number): Generator<Id> {
  for (const { value } of reader.range(quotesOfStatus, [statusId], { limit })) yield value.accountId;
}
