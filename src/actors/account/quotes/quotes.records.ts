/** What is kept of quotes (FEP-044f): whom a status lets quote it, and what has become of the quote in a status. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

/** What an author chooses for a status. */
export const quotePolicies = ['public', 'followers', 'nobody'] as const;
export const QuotePolicy = z.enum(quotePolicies);
export type QuotePolicy = z.infer<typeof QuotePolicy>;

export const quoteStates = ['pending', 'accepted', 'rejected', 'revoked', 'deleted'] as const;
export const StoredQuoteState = z.enum(quoteStates);
export type StoredQuoteState = z.infer<typeof StoredQuoteState>;

/** What a status quotes. */
export const Quote = z.object({
  statusId: identifier,
  accountId: identifier,
  state: StoredQuoteState,
  /** Where the server of a remote author says that the quote is authorised; local ones derive. */
  authorizationUri: z.string().optional(),
  /** Of a property older than FEP-044f, which asks nobody: it is shown as a link unless its author agrees. */
  isLegacy: z.boolean().optional(),
  /** When the authorization was last verified, or asked for in vain. */
  verifiedAt: z.number().optional(),
});
export type Quote = z.infer<typeof Quote>;

/** A quote as the author of the quoted status keeps it: accepted, unless it was revoked. */
export const QuoteOfStatus = z.object({
  accountId: identifier,
  isRevoked: z.boolean().optional(),
  authorizationUri: z.string().optional(),
});
export type QuoteOfStatus = z.infer<typeof QuoteOfStatus>;
