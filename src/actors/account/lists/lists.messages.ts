/** Lists of followed accounts. Message numbers 140 to 145. */
import { z } from 'zod';
import { call, cast, Done, Slice } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { List } from './lists.records.ts';

const { title, repliesPolicy, exclusive } = List.shape;
const Members = z.object({ listId: identifier, memberIds: z.array(identifier) });

export const listMessages = {
  createList: call(140, z.object({ title, repliesPolicy, exclusive }), z.object({ listId: identifier })),
  /** Undefined fields stay unchanged. */
  changeList: call(
    141,
    z.object({
      listId: identifier,
      title: title.optional(),
      repliesPolicy: repliesPolicy.optional(),
      exclusive: exclusive.optional(),
    }),
    Done,
  ),
  removeList: call(142, z.object({ listId: identifier }), Done),
  /** All of them or none. */
  addToList: call(143, Members, Done),
  removeFromList: call(144, Members, Done),
  /** Removes the next slice of a deleted list's members. */
  sweepList: cast(145, z.object({ listId: identifier, ...Slice.shape })),
};
