/** Creates and changes filters with their keywords, in one request each (specification 2.4). */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { FilterChanges, KeywordChange } from '../../actors/account/filters/filters.messages.ts';
import { findFilter, type StoredFilter } from '../../actors/account/filters/filters.queries.ts';
import { filterLimits } from '../../actors/account/filters/limits.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { blank, type FieldProblem, refuseFields, tooLong } from '../refused-fields.ts';

interface ChangedFilter {
  /** Undefined where it was removed with its last keyword. */
  readonly filter: StoredFilter | undefined;
  readonly addedKeywordIds: readonly Id[];
}

export const changeFilter = operation({
  /** Without a `filterId` a new filter. Undefined fields stay unchanged. */
  input: z.object({
    filterId: identifier.optional(),
    changes: FilterChanges,
    keywords: z.array(KeywordChange),
    isOfOneKeyword: z.boolean().optional(),
    isRemovedWhenEmpty: z.boolean().optional(),
  }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, change): Promise<ChangedFilter> {
    checkChange(change.changes, change.keywords);
    const { accountId } = caller;
    const { filterId, addedKeywordIds } = await services.client.call(
      Account.changeFilter.to(accountId, change),
      flowOf(caller),
    );
    return { filter: findFilter(services.snapshots, accountId, filterId), addedKeywordIds };
  },
});

/** The same for a change that cannot remove the filter. Throws Failure notFound where another request removed it. */
export function keptFilter({ filter }: ChangedFilter): StoredFilter {
  if (filter === undefined) throw new Failure('notFound');
  return filter;
}

/** Throws FieldsRefused. */
function checkChange({ title, contexts }: FilterChanges, keywords: readonly KeywordChange[]): void {
  refuseFields({
    title: title === undefined ? [] : problemsOf(title, filterLimits.titleCharactersMax),
    context: contexts?.length === 0 ? [{ ...blank, reason: 'noPlace' }, noContext] : [],
    keywords: keywords.flatMap(({ keyword, isRemoved }, index) =>
      keyword === undefined || isRemoved
        ? []
        : problemsOf(keyword, filterLimits.keywordCharactersMax).map((problem) => ({
            ...problem,
            row: { index, subject: 'Keyword' },
          })),
    ),
  });
}

const noContext: FieldProblem = { kind: 'invalid', words: 'None or invalid context supplied' };

function problemsOf(text: string, charactersMax: number): FieldProblem[] {
  if (text.trim() === '') return [blank];
  return text.length > charactersMax ? [tooLong(charactersMax)] : [];
}
