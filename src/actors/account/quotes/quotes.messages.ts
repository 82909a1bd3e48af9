/**
 * Quotes (FEP-044f). The author of the quoted status decides and counts; the status that quotes says what was decided.
 * Message numbers 180 to 189.
 */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';
import { PublishedStatus } from '../statuses/statuses.messages.ts';
import { QuotePolicy } from './quotes.records.ts';

/** The status that is quoted, and the one that quotes it. */
const ends = { statusId: identifier, quoteId: identifier };
/** Where the status that quotes, or whose policy changes, went beside followers: those servers hear of it. */
const where = { destinations: z.array(Destination).optional() };

export const quoteMessages = {
  /**
   * On the author: a status quotes one of theirs. A local author judges it; for a remote one, its server has. Answers
   * with the status that quotes. `isAccepted`: that one says so already.
   */
  quoted: call(
    180,
    z.object({ ...ends, by: identifier, isAccepted: z.boolean(), authorizationUri: z.string().optional() }),
    PublishedStatus,
  ),
  /**
   * On the account that quotes. What was revoked or deleted stays so. The author is notified of what is accepted only now,
   * when it is shown; `threadId` is that of the quoted status.
   */
  decideQuote: call(
    181,
    z.object({
      ...ends,
      state: z.enum(['accepted', 'rejected', 'revoked', 'deleted']),
      authorizationUri: z.string().optional(),
      threadId: identifier.optional(),
      ...where,
    }),
    Done,
  ),
  /** On a local account that quotes: the server of the quoted author answers its request. */
  receiveQuoteAnswer: call(
    182,
    z.object({
      quoteId: identifier,
      by: identifier,
      isAccepted: z.boolean(),
      authorizationUri: z.string().optional(),
      ...where,
    }),
    Done,
  ),
  /** On a remote account that asks; `quoteId` is absent where it is refused without having been looked at. */
  receiveQuoteRequest: call(
    183,
    z.object({
      statusId: identifier,
      authorId: identifier,
      quoteId: identifier.optional(),
      quoteUri: z.string(),
      requestUri: z.string().optional(),
    }),
    Done,
  ),
  /** The same on the local author, who answers. */
  quoteRequested: call(
    184,
    z.object({
      statusId: identifier,
      by: identifier,
      byDestination: Destination.optional(),
      quoteId: identifier.optional(),
      quoteUri: z.string(),
      requestUri: z.string().optional(),
    }),
    Done,
  ),
  /** On the author, who is local. `byDestination`: where the server of a remote account that quotes hears of it. */
  revokeQuote: call(185, z.object({ ...ends, byDestination: Destination.optional(), ...where }), Done),
  /** On the author: the status that quotes is gone, or no longer authorised by another server. */
  quoteRemoved: call(186, z.object(ends), Done),
  /** On the author, who is local: who may quote the status from now on. */
  changeQuotePolicy: call(187, z.object({ statusId: identifier, policy: QuotePolicy, ...where }), Done),
  /** On the author of an edited status: those who quote it hear of it, a slice at a time. */
  tellQuoters: cast(188, z.object({ statusId: identifier, afterQuoteId: identifier.optional() })),
  /** On the account that quotes: asks for the authorization again in the background, unless that was done within so long. */
  verifyQuote: call(189, z.object({ quoteId: identifier, ageMilliseconds: z.number() }), Done),
};
