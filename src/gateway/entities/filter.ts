/** Filters, their keywords and statuses, and the matches of a status (specification 2.3 to 2.5). */
import { z } from 'zod';
import type { KeywordOfFilter, StoredFilter } from '../../actors/account/filters/filters.queries.ts';
import {
  type FilterKeyword,
  type FilterStatus,
  filterActions,
  filterContexts,
} from '../../actors/account/filters/filters.records.ts';
import type { StatusFilterMatch } from '../../operations/presentation/filters.ts';
import { flag, id, text, time } from './values.ts';

export const FilterKeywordEntity = z
  .strictObject({ id, keyword: text, whole_word: flag })
  .meta({ id: 'FilterKeyword' });

export const FilterStatusEntity = z.strictObject({ id, status_id: id }).meta({ id: 'FilterStatus' });

const filterFields = {
  id,
  title: text,
  context: z.array(z.enum(filterContexts)),
  expires_at: time.nullable(),
  filter_action: z.enum(filterActions),
};

export const FilterEntity = z
  .strictObject({ ...filterFields, keywords: z.array(FilterKeywordEntity), statuses: z.array(FilterStatusEntity) })
  .meta({ id: 'Filter' });

/** The part of a filter that does not depend on its keywords. */
export const FilterResultEntity = z
  .strictObject({
    filter: z.strictObject(filterFields),
    keyword_matches: z.array(text).nullable(),
    status_matches: z.array(id).nullable(),
  })
  .meta({ id: 'FilterResult' });

/** A keyword with the settings of its filter, under the keyword's id (specification 2.5). */
export const FilterV1Entity = z
  .strictObject({
    id,
    phrase: text,
    context: z.array(z.enum(filterContexts)),
    whole_word: flag,
    expires_at: time.nullable(),
    irreversible: flag,
  })
  .meta({ id: 'V1Filter' });

export function filterKeywordEntity({ id, keyword, wholeWord }: FilterKeyword): z.infer<typeof FilterKeywordEntity> {
  return { id: id.toString(), keyword, whole_word: wholeWord };
}

export function filterStatusEntity({ id, statusId }: FilterStatus): z.infer<typeof FilterStatusEntity> {
  return { id: id.toString(), status_id: statusId.toString() };
}

export function filterEntity(filter: StoredFilter): z.infer<typeof FilterEntity> {
  return {
    ...fieldsOf(filter),
    keywords: filter.keywords.map(filterKeywordEntity),
    statuses: filter.statuses.map(filterStatusEntity),
  };
}

/** Null where there are no matches of that kind. */
export function filterResultEntity(match: StatusFilterMatch): z.infer<typeof FilterResultEntity> {
  const { filter, keywords, statusIds } = match;
  return {
    filter: fieldsOf(filter),
    keyword_matches: keywords.length === 0 ? null : [...keywords],
    status_matches: statusIds.length === 0 ? null : statusIds.map(String),
  };
}

export function filterV1Entity({ filter, keyword }: KeywordOfFilter): z.infer<typeof FilterV1Entity> {
  return {
    id: keyword.id.toString(),
    phrase: keyword.keyword,
    context: filter.contexts,
    whole_word: keyword.wholeWord,
    expires_at: timeOf(filter.expiresAt),
    // True for every filter that hides, also where only clients hide.
    irreversible: filter.action === 'hide',
  };
}

function fieldsOf({ id, title, contexts, expiresAt, action }: StoredFilter) {
  return { id: id.toString(), title, context: contexts, expires_at: timeOf(expiresAt), filter_action: action };
}

function timeOf(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}
