/** What turns do about the quote in a status: the author of the quoted status decides, counts, and is informed. */
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { StatusHooks } from '../statuses/status-hooks.ts';
import { statusCounters } from '../statuses/statuses.state.ts';
import { quotesOfStatus } from './quotes.state.ts';
import { changeQuotePolicy, removeQuote } from './quotes.ts';
import { requestQuote, takeQuote, tellOtherQuote, tellQuoted, tellQuoteRemoved } from './quoting.ts';

export const quoteHooks: StatusHooks = {
  destinations: ({ quote }) => (quote?.request === undefined ? [] : [quote.request.destination]),
  published(turn, status, message) {
    const request = message?.quote?.request;
    if (request !== undefined) requestQuote(turn, status, request.uri, request.destination);
    return tellQuoted(turn, status);
  },
  reported: (turn, before, { quote }) => takeQuote(turn, before, quote),
  adjusted(turn, { id: statusId }, _after, { quotePolicy: policy }) {
    if (policy !== undefined) changeQuotePolicy(turn, { statusId, policy });
    return false;
  },
  edited(turn, before, after) {
    const isQuoted = (turn.get(statusCounters, [after.id])?.quotes ?? 0) > 0;
    if (isQuoted) turn.tell(Account.tellQuoters.to(turn.self.key, { statusId: after.id }));
    if (after.quote?.statusId !== before.quote?.statusId) tellOtherQuote(turn, before, after);
  },
  removed: (turn, status) => tellQuoteRemoved(turn, status),
  sweeps: [{ number: 7, entries: quotesOfStatus, swept: sweepQuote }],
};

/** The quoting status stays, with a quote that is gone. */
function sweepQuote(turn: AccountTurn, statusId: Id, quoteId: Id): void {
  const quote = turn.get(quotesOfStatus, [statusId, quoteId])!;
  removeQuote(turn, statusId, quoteId, quote);
  turn.tell(Account.decideQuote.to(quote.accountId, { statusId, quoteId, state: 'deleted' }));
}
