/** How far new keys for all local accounts are. Times are milliseconds since 1970. */
import { z } from 'zod';

export const KeyRotation = z.object({
  startedAt: z.number(),
  /** Accounts that have a new pair. */
  rotated: z.number(),
  /** Absent while it goes on. */
  endedAt: z.number().optional(),
});
export type KeyRotation = z.infer<typeof KeyRotation>;
