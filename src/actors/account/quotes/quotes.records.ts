/** Records of quotes (FEP-044f): who may quote a status, and the state of the quote in a status. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

/** The choices of an author. */
export const quotePolicies = ['public', 'followers', 'nobody'] as const;
export const QuotePolicy = z.enum(quotePolicies);
export type QuotePolicy = z.infer<typeof QuotePolicy>;

export const quoteStates = ['pending', 'accepted', 'rejected', 'revoked', 'deleted'] as const;
export const StoredQuoteState = z.enum(quoteStates);
export type StoredQuoteState = z.infer<typeof StoredQuoteState>;

/** The quote in a status. */
export const Quote = z.object({
  statusId: identifier,
  accountId: identifier,
  state: StoredQuoteState,
  /** The authorization published by a remote author's server; the addresses of local ones are derived. */
  authorizationUri: z.string().optional(),
  /** Uses a property older than FEP-044f, without a request: shown as a link unless the author agrees. */
  isLegacy: z.boolean().optional(),
  /** When the authorization was last verified, or last tried to be. */
  verifiedAt: z.number().optional(),
});
export type Quote = z.infer<typeof Quote>;

/** A quote as stored by the author of the quoted status: accepted, unless revoked. */
export const QuoteOfStatus = z.object({
  accountId: identifier,
  isRevoked: z.boolean().optional(),
  authorizationUri: z.string().optional(),
});
export type QuoteOfStatus = z.infer<typeof QuoteOfStatus>;
