/** Filters of an account. Message numbers 120 to 123. */
import { z } from 'zod';
import { call, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { Filter } from './filters.records.ts';

/** With an id, an existing keyword to change or remove; without one, a new keyword. */
export const KeywordChange = z.object({
  id: identifier.optional(),
  keyword: z.string().optional(),
  wholeWord: z.boolean().optional(),
  isRemoved: z.boolean().optional(),
});
export type KeywordChange = z.infer<typeof KeywordChange>;

/** Undefined fields stay unchanged. */
export const FilterChanges = z.object({
  title: Filter.shape.title.optional(),
  contexts: Filter.shape.contexts.optional(),
  action: Filter.shape.action.optional(),
  isIrreversible: z.boolean().optional(),
  /** From now; null for never. */
  expiresInSeconds: z.number().nullable().optional(),
});
export type FilterChanges = z.infer<typeof FilterChanges>;

export const filterMessages = {
  /** Creates a filter (which needs a title and contexts) or changes one; all changes or none. */
  changeFilter: call(
    120,
    z.object({
      filterId: identifier.optional(),
      changes: FilterChanges,
      keywords: z.array(KeywordChange),
      /**
       * Version 1 of the API treats each keyword as a filter: it must not change settings that several keywords share.
       */
      isOfOneKeyword: z.boolean().optional(),
      /** Also removes a filter that has nothing left in it. */
      isRemovedWhenEmpty: z.boolean().optional(),
    }),
    z.object({ filterId: identifier, addedKeywordIds: z.array(identifier) }),
  ),
  removeFilter: call(121, z.object({ filterId: identifier }), Done),
  addFilterStatus: call(
    122,
    z.object({ filterId: identifier, statusId: identifier }),
    z.object({ filterStatusId: identifier }),
  ),
  removeFilterStatus: call(123, z.object({ filterId: identifier, filterStatusId: identifier }), Done),
};
