/** What is kept of a tag that an account features on its profile. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

export const FeaturedTag = z.object({
  /** Normalised. */
  name: z.string(),
  /** As it was written. */
  display: z.string(),
  /** Statuses of the account with this tag that everybody may see. */
  statuses: z.number(),
  /** The latest of them. */
  lastStatusId: identifier.optional(),
  /** Statuses before this one are not counted yet; absent once all are. */
  countedFrom: identifier.optional(),
});
export type FeaturedTag = z.infer<typeof FeaturedTag>;
