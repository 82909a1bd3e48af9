/** Stored shapes of a partition's own actor that its messages carry too. */
import { z } from 'zod';

/** The progress of a lane: everything up to the cursor is done, and `ahead` of it what could be sent earlier. */
export const LaneState = z.object({
  cursor: z.number(),
  /** First and last sequences of ranges above the cursor in which everything for the lane is done. */
  ahead: z.array(z.number()),
  /** Attempts in a row at which the host failed. */
  failures: z.number(),
  /** Dates, here and below. */
  failingSince: z.number().optional(),
  nextAttemptAt: z.number().optional(),
  /** Nothing shortens the wait to less than this. */
  earliestAttemptAt: z.number().optional(),
  /** Waits that were shortened since the host began to fail. */
  shortenedWaits: z.number().optional(),
  /** When something was last delivered. */
  deliveredAt: z.number().optional(),
});
export type LaneState = z.infer<typeof LaneState>;

/** The state of the lane of one host, by the host's number. */
export const LaneProgress = z.object({ host: z.number(), ...LaneState.shape });
export type LaneProgress = z.infer<typeof LaneProgress>;
