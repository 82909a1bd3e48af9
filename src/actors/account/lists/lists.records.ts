/** The record of a list (specification 4.5). */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

/** Which replies to others a list shows: those to accounts that the owner follows, to members only, or none. */
export const repliesPolicies = ['followed', 'list', 'none'] as const;

export const List = z.object({
  accountId: identifier,
  title: z.string(),
  repliesPolicy: z.enum(repliesPolicies),
  /** Its members' statuses are omitted from the home timeline. */
  exclusive: z.boolean(),
});
export type List = z.infer<typeof List>;
