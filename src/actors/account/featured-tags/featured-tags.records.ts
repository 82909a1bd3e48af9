/** The record of a tag that an account features on its profile. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

export const FeaturedTag = z.object({
  /** Normalised. */
  name: z.string(),
  /** As written. */
  display: z.string(),
  /** Public and unlisted statuses of the account with this tag. */
  statuses: z.number(),
  /** The latest of these statuses. */
  lastStatusId: identifier.optional(),
  /** Statuses before this one are not counted yet; absent once all are. */
  countedFrom: identifier.optional(),
});
export type FeaturedTag = z.infer<typeof FeaturedTag>;
