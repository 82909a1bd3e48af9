/** What is kept of a poll: its question is the status that it stands in, and the id of that is its own. */
import { z } from 'zod';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';

export const Poll = z.object({
  options: z.array(z.string()),
  multiple: z.boolean(),
  /** Nobody sees how many voted for what before it is closed. */
  hideTotals: z.boolean(),
  /** Absent for a remote poll that never ends. */
  expiresAt: z.number().optional(),
});
export type Poll = z.infer<typeof Poll>;

/** Apart from the status, which seldom changes. */
export const PollTally = z.object({
  /** By option. */
  votes: z.array(z.number()),
  /** Absent where a remote server does not say. */
  voters: z.number().optional(),
  isClosed: z.boolean(),
  /** Votes with smaller ids were cast before the options changed, and count no more. */
  firstVoteId: identifier.optional(),
  /** Other servers will be told of the totals. */
  isAnnounced: z.boolean().optional(),
  /** When the server of a remote poll was last asked for it. */
  refreshedAt: z.number().optional(),
});
export type PollTally = z.infer<typeof PollTally>;

/** A vote as the author of the poll keeps it. */
export const Vote = z.object({
  id: identifier,
  choices: z.array(z.number()),
  /** Where new totals are delivered to a remote voter. */
  destination: Destination.optional(),
});
export type Vote = z.infer<typeof Vote>;

/** A vote as the voter keeps it. */
export const OwnVote = Vote.omit({ destination: true });
