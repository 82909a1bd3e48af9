/** Makes and changes filters with their keywords, in one request each (specification 2.4). */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { FilterChanges, KeywordChange } from '../../actors/account/filters/filters.messages.ts';
import { findFilter, type StoredFilter } from '../../actors/account/filters/filters.queries.ts';
import { filterLimits } from '../../actors/account/filters/limits.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

interface ChangedFilter {
  /** Undefined where it went with its last keyword. */
  readonly filter: StoredFilter | undefined;
  readonly addedKeywordIds: readonly Id[];
}

export const changeFilter = operation({
  /** Without a `filterId` a new filter. What is not given stays. */
  input: z.object({
    filterId: identifier.optional(),
    changes: FilterChanges,
    keywords: z.array(KeywordChange),
    isOfOneKeyword: z.boolean().optional(),
    isRemovedWhenEmpty: z.boolean().optional(),
  }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, change): Promise<ChangedFilter> {
    checkChanges(change.changes);
    for (const keyword of change.keywords) checkKeyword(keyword);
    const { accountId } = caller;
    const { filterId, addedKeywordIds } = await services.client.call(
      Account.changeFilter.to(accountId, change),
      flowOf(caller),
    );
    await services.barrier.appliedEverywhere();
    return { filter: findFilter(services.snapshots, accountId, filterId), addedKeywordIds };
  },
});

/** The same of a filter that stays whatever is changed. Throws Failure notFound where another request removed it. */
export function keptFilter({ filter }: ChangedFilter): StoredFilter {
  if (filter === undefined) throw new Failure('notFound');
  return filter;
}

function checkChanges({ title, contexts }: FilterChanges): void {
  if (title !== undefined) {
    if (title.trim() === '') throw validationFailure("Title can't be blank");
    if (title.length > filterLimits.titleCharactersMax)
      throw validationFailure(`Title is too long (maximum is ${filterLimits.titleCharactersMax} characters)`);
  }
  if (contexts?.length === 0)
    throw validationFailure("Context can't be blank, Context None or invalid context supplied");
}

function checkKeyword({ keyword, isRemoved }: KeywordChange): void {
  if (keyword === undefined || isRemoved) return;
  if (keyword.trim() === '') throw validationFailure("Keyword can't be blank");
  if (keyword.length > filterLimits.keywordCharactersMax)
    throw validationFailure(`Keyword is too long (maximum is ${filterLimits.keywordCharactersMax} characters)`);
}
