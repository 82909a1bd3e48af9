/** Posts of an account that are deleted once they are old, by its own rule. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

export const CleanupPolicy = z.object({
  /** Younger ones stay. */
  ageSecondsMin: z.number(),
  keepsDirect: z.boolean(),
  keepsPinned: z.boolean(),
  keepsPolls: z.boolean(),
  keepsMedia: z.boolean(),
  /** Those that their author has favourited, or bookmarked. */
  keepsFavourited: z.boolean(),
  keepsBookmarked: z.boolean(),
  /** Those with as many favourites, or boosts, stay. */
  favouritesMin: z.number().optional(),
  reblogsMin: z.number().optional(),
});
export type CleanupPolicy = z.infer<typeof CleanupPolicy>;

export const Cleanup = z.object({
  policy: CleanupPolicy,
  /** Of the policy as it is now: what an earlier one has begun ends. */
  id: identifier,
});
export type Cleanup = z.infer<typeof Cleanup>;
