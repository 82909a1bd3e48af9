/** What is kept of a list (specification 4.5). */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

/** Which replies to others it shows: to whoever its owner follows, to its members only, none. */
export const repliesPolicies = ['followed', 'list', 'none'] as const;

export const List = z.object({
  accountId: identifier,
  title: z.string(),
  repliesPolicy: z.enum(repliesPolicies),
  /** Its members are left out of the home timeline. */
  exclusive: z.boolean(),
});
export type List = z.infer<typeof List>;
