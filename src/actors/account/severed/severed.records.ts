/** Records of follows that a decision of staff has ended. Times are milliseconds since 1970. */
import { z } from 'zod';
import { severanceTypes } from '../notifications/notifications.records.ts';
import { FollowOptions } from '../relationships/relationships.records.ts';

/** What a local account has lost at once: the server of the others was suspended, or one of them. */
export const StoredSeverance = z.object({
  targetName: z.string(),
  createdAt: z.number(),
  followers: z.number(),
  following: z.number(),
  /** The account was notified, and nothing is added any more. */
  isTold: z.boolean(),
  /** Absent for a suspended server. */
  type: z.enum(severanceTypes).optional(),
});
export type StoredSeverance = z.infer<typeof StoredSeverance>;

/** One account that was followed, or a follower, or both, as it was known then. */
export const SeveredFollow = z.object({
  /** user@host. */
  acct: z.string(),
  /** With what it was followed; absent where it was not. */
  following: FollowOptions.optional(),
  isFollower: z.boolean(),
});
export type SeveredFollow = z.infer<typeof SeveredFollow>;
