/** Records of the relays of others that this server has joined. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../../account/account.records.ts';
import { subscriptionForms } from '../relay.records.ts';

/** `pending`: the relay has not answered yet. `rejected`: it has refused, or ended it. */
const joinedStates = ['pending', 'accepted', 'rejected'] as const;

export const JoinedRelay = z.object({
  id: identifier,
  /** The host[:port] of its inbox. */
  host: z.string(),
  form: z.enum(subscriptionForms),
  /** Where public posts go. */
  inbox: z.string(),
  /** The id of its actor; learned from its answer where an inbox was entered. */
  actor: z.string().optional(),
  state: z.enum(joinedStates),
  /** The id of this server's Follow, by which the relay's answer is recognised. */
  followId: identifier,
  createdAt: z.number(),
  /** Of the state. */
  changedAt: z.number(),
});
export type JoinedRelay = z.infer<typeof JoinedRelay>;

/**
 * What became of activities that a relay has brought. The rest of `received` was known here already, or about what is not.
 * Repetitions that are recognised before the sender is are in none of these.
 */
export const receiptCounts = {
  received: z.number(),
  /** Became statuses, edits or deletions here. */
  taken: z.number(),
  /** Proved by nobody, not public, of suspended servers, or of no kind that a relay passes on. */
  refused: z.number(),
  /** Too much was to be done already. */
  shed: z.number(),
};

export const JoinedReceipts = z.object({ ...receiptCounts, lastAt: z.number() });
export type JoinedReceipts = z.infer<typeof JoinedReceipts>;
