/** Reads the filters of an account, and finds one by its content. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Filter, FilterKeyword, FilterStatus } from './filters.records.ts';
import { filters } from './filters.state.ts';

export interface StoredFilter extends Filter {
  readonly id: Id;
}

/** Oldest first. */
export function filtersOf(reader: Reader, accountId: Id): StoredFilter[] {
  return Array.from(reader.range(filters, [accountId]), ({ key, value }) => ({ ...value, id: key[1] }));
}

/** Whether there are any, expired or not. */
export function hasFilters(reader: Reader, accountId: Id): boolean {
  for (const _filter of reader.range(filters, [accountId], { limit: 1 })) return true;
  return false;
}

export function findFilter(reader: Reader, accountId: Id, filterId: Id): StoredFilter | undefined {
  const filter = reader.get(filters, [accountId, filterId]);
  return filter === undefined ? undefined : { ...filter, id: filterId };
}

/** A keyword with its filter. */
export interface KeywordOfFilter {
  readonly filter: StoredFilter;
  readonly keyword: FilterKeyword;
}

export function findFilterKeyword(reader: Reader, accountId: Id, keywordId: Id): KeywordOfFilter | undefined {
  for (const filter of filtersOf(reader, accountId))
    for (const keyword of filter.keywords) if (keyword.id === keywordId) return { filter, keyword };
  return undefined;
}

/** A single filtered status, with its filter. */
export interface StatusOfFilter {
  readonly filter: StoredFilter;
  readonly status: FilterStatus;
}

export function findFilterStatus(reader: Reader, accountId: Id, filterStatusId: Id): StatusOfFilter | undefined {
  for (const filter of filtersOf(reader, accountId))
    for (const status of filter.statuses) if (status.id === filterStatusId) return { filter, status };
  return undefined;
}
