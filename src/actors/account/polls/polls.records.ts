/** The record of a poll. The status is its question, and the id of the status is that of the poll. */
import { z } from 'zod';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';

export const Poll = z.object({
  options: z.array(z.string()),
  multiple: z.boolean(),
  /** The votes per option are hidden until the poll is closed. */
  hideTotals: z.boolean(),
  /** Absent for a remote poll without an end. */
  expiresAt: z.number().optional(),
});
export type Poll = z.infer<typeof Poll>;

/** As a local author writes it: it ends this long after it was published, or changed. */
export const NewPoll = Poll.omit({ expiresAt: true }).extend({ expiresInSeconds: z.number() });
export type NewPoll = z.infer<typeof NewPoll>;

/** Stored apart from the status, which changes rarely. */
export const PollTally = z.object({
  /** By option. */
  votes: z.array(z.number()),
  /** Absent where a remote server does not report them. */
  voters: z.number().optional(),
  isClosed: z.boolean(),
  /** Votes with smaller ids were cast before the options changed and no longer count. */
  firstVoteId: identifier.optional(),
  /** A timer is set for informing other servers of the totals. */
  isAnnounced: z.boolean().optional(),
  /** When a remote poll was last fetched. */
  refreshedAt: z.number().optional(),
  /** The poll has closed before: its author, and whoever cast a vote with a smaller id, were notified. */
  toldUntilId: identifier.optional(),
});
export type PollTally = z.infer<typeof PollTally>;

/** A vote as the author of the poll stores it. */
export const Vote = z.object({
  id: identifier,
  choices: z.array(z.number()),
  /** Where new totals are delivered for a remote voter. */
  destination: Destination.optional(),
});
export type Vote = z.infer<typeof Vote>;

/** A vote as the voter stores it. */
export const OwnVote = Vote.omit({ destination: true });
