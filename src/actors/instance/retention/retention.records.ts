/** How long statuses of other servers are kept that nobody here uses. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../../account/account.records.ts';

/** One search of all statuses. */
export const RetentionRun = z.object({
  startedAt: z.number(),
  /** What was published before goes. */
  before: z.number(),
  /** Where it goes on. */
  slot: z.number(),
  /** Old statuses of other servers that it has looked at, and how many of them have gone. */
  examined: z.number(),
  forgotten: z.number(),
  /** Absent while it goes on. */
  endedAt: z.number().optional(),
});
export type RetentionRun = z.infer<typeof RetentionRun>;

export const Retention = z.object({
  /** Of the rule as it is now: what an earlier one has begun ends. */
  id: identifier,
  /** 0: all are kept. */
  days: z.number(),
  /** When the next run begins; absent while one goes on, and without a rule. */
  nextAt: z.number().optional(),
  /** The one that goes on, or the last one. */
  run: RetentionRun.optional(),
});
export type Retention = z.infer<typeof Retention>;
