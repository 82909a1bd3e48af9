/** The List entity (specification 2.6). */
import { z } from 'zod';
import type { StoredList } from '../../actors/account/lists/lists.queries.ts';
import { repliesPolicies } from '../../actors/account/lists/lists.records.ts';
import { flag, id, text } from './values.ts';

export const ListEntity = z
  .strictObject({ id, title: text, replies_policy: z.enum(repliesPolicies), exclusive: flag })
  .meta({ id: 'List' });

export function listEntity({ id, title, repliesPolicy, exclusive }: StoredList): z.infer<typeof ListEntity> {
  return { id: id.toString(), title, replies_policy: repliesPolicy, exclusive };
}
