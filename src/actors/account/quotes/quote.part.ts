/** The quote in a status, and who may quote the status. */
import { z } from 'zod';
import { Destination } from '../../intents.ts';
import { quoteApprovalOf } from '../../policy/quotes.ts';
import { statusPart } from '../../status-part.ts';
import { Approval, identifier } from '../account.records.ts';
import { Quote, QuotePolicy } from './quotes.records.ts';

const stored = {
  quote: Quote.optional(),
  /** Who may quote it; absent for its author only. */
  quoteApproval: Approval.optional(),
};

export const quotePart = statusPart({
  stored,
  /** `request`: where to ask a remote author, and for which status. */
  written: {
    ...stored,
    quote: Quote.extend({ request: z.object({ uri: z.string(), destination: Destination }).optional() }).optional(),
  },
  /** Undefined: unchanged. */
  edit: { quotePolicy: QuotePolicy.optional() },
  /**
   * `quote` is accepted where its server needs no permission or has proved it; otherwise a local author decides.
   * `unquotedId`: the status that an edited one has quoted so far, and quotes no more.
   */
  received: { ...stored, unquotedId: identifier.optional() },
  version: { quotedStatusId: identifier.optional() },
  ofWritten({ quote, quoteApproval }) {
    if (quote === undefined) return { quoteApproval };
    const { request: _request, ...kept } = quote;
    return { quote: kept, quoteApproval };
  },
  ofEdit: ({ quote, quoteApproval, visibility }, { quotePolicy }) => ({
    quote,
    quoteApproval: quotePolicy === undefined ? quoteApproval : quoteApprovalOf(quotePolicy, visibility),
  }),
  /** The same quote, none, or another. */
  ofReceivedEdit: ({ quote }, { quote: received, quoteApproval, unquotedId }) => ({
    quote: quote !== undefined && quote.statusId === unquotedId ? received : quote,
    quoteApproval,
  }),
  versionOf: ({ quote }) => ({ quotedStatusId: quote?.statusId }),
  content: ({ quote }) => quote?.statusId,
  silent: ['quoteApproval'],
  facts: ({ quote }) => ({ quoteOfAccountId: quote?.accountId }),
});
