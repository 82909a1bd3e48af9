/**
 * Quotes (FEP-044f). The author of the quoted status decides and counts; the quoting status stores the decision.
 * Message numbers 180 to 189.
 */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { SenderTraits } from '../../policy/notification-policy.ts';
import { identifier } from '../account.records.ts';
import { PublishedStatus } from '../statuses/statuses.messages.ts';
import { QuotePolicy } from './quotes.records.ts';

/** The quoted status, and the quoting one. */
const ends = { statusId: identifier, quoteId: identifier };
/** Inboxes that got the quoting status, or the status with a new policy, besides those of followers. */
const where = { destinations: z.array(Destination).optional() };

export const quoteMessages = {
  /**
   * Runs on the author of a quoted status. A local author decides by its policy; for a remote one its server has
   * decided. Replies with the quoting status. `isAccepted`: the quoting status is stored as accepted already.
   */
  quoted: call(
    180,
    z.object({
      ...ends,
      by: identifier,
      isAccepted: z.boolean(),
      authorizationUri: z.string().optional(),
      sender: SenderTraits.optional(),
    }),
    PublishedStatus,
  ),
  /**
   * Runs on the quoting account. Revoked and deleted quotes stay so. The author of a newly accepted quote is notified
   * now, when it is first shown; `threadId` is that of the quoted status.
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
  /** Runs on a local quoting account: the answer of the quoted author's server. */
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
  /**
   * Runs on a remote account that asks; `quoteId` is absent where the request is refused without examining the status.
   */
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
  /** Runs on a local author. `byDestination`: of a remote quoting account, whose server is informed. */
  revokeQuote: call(185, z.object({ ...ends, byDestination: Destination.optional(), ...where }), Done),
  /**
   * Runs on the author: the quoting status was deleted, or another server no longer authorises it. `stays`: it is still
   * there without the quote, and what was revoked stays so.
   */
  quoteRemoved: call(186, z.object({ ...ends, stays: z.boolean().optional() }), Done),
  /** Runs on a local author: who may quote the status from now on. */
  changeQuotePolicy: call(187, z.object({ statusId: identifier, policy: QuotePolicy, ...where }), Done),
  /** Runs on the author of an edited status: notifies the accounts that quote it, in slices. */
  tellQuoters: cast(188, z.object({ statusId: identifier, afterQuoteId: identifier.optional() })),
  /**
   * Runs on the quoting account: verifies the authorization again in the background, unless that was done within this
   * age.
   */
  verifyQuote: call(189, z.object({ quoteId: identifier, ageMilliseconds: z.number() }), Done),
};
