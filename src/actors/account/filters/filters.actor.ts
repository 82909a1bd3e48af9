/**
 * Filters: private to their account. They are matched where statuses are shown (operations/presentation/filters.ts).
 */

import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { AccountTurn } from '../account.turn.ts';
import { keepStatuses } from '../kept.events.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { filtersChanged } from './filters.events.ts';
import { type FilterChanges, filterMessages, type KeywordChange } from './filters.messages.ts';
import type { Filter, FilterKeyword } from './filters.records.ts';
import * as state from './filters.state.ts';
import { filterLimits } from './limits.ts';

const { filters } = state;

/** Throws notFound for an unknown filter or keyword, validation above the bounds. */
function changeFilter(
  turn: AccountTurn,
  message: BodyOf<typeof filterMessages.changeFilter>,
): { filterId: Id; addedKeywordIds: Id[] } {
  ownProfile(turn);
  const { changes, isOfOneKeyword, isRemovedWhenEmpty } = message;
  const before = message.filterId === undefined ? undefined : ownFilter(turn, message.filterId);
  const filterId = message.filterId ?? turn.nextId();
  const changed = before === undefined ? newFilter(turn, changes) : withChanges(before, changes, turn.now);
  if (isOfOneKeyword && before !== undefined && before.keywords.length > 1 && sharesDiffer(before, changed))
    throw validationFailure('These parameters cannot be changed: the filter has several keywords');
  const { keywords, addedKeywordIds } = changedKeywords(turn, before?.keywords ?? [], message.keywords);
  const after: Filter = { ...changed, keywords };
  refuseTooManyKeywords(turn, filterId, after);
  if (isRemovedWhenEmpty && keywords.length === 0 && after.statuses.length === 0)
    turn.delete(filters, [turn.self.key, filterId]);
  else turn.put(filters, [turn.self.key, filterId], after);
  turn.emit(filtersChanged, { accountId: turn.self.key });
  return { filterId, addedKeywordIds };
}

function removeFilter(turn: AccountTurn, { filterId }: BodyOf<typeof filterMessages.removeFilter>): undefined {
  ownFilter(turn, filterId);
  turn.delete(filters, [turn.self.key, filterId]);
  turn.emit(filtersChanged, { accountId: turn.self.key });
}

/** Throws validation for a status that is in the filter already. */
function addFilterStatus(
  turn: AccountTurn,
  { filterId, statusId }: BodyOf<typeof filterMessages.addFilterStatus>,
): { filterStatusId: Id } {
  const before = ownFilter(turn, filterId);
  if (before.statuses.some((one) => one.statusId === statusId))
    throw validationFailure('Status has already been taken');
  if (before.statuses.length >= filterLimits.statusesPerFilterMax) throw validationFailure('Statuses are too many');
  const filterStatusId = turn.nextId();
  const statuses = [...before.statuses, { id: filterStatusId, statusId }];
  turn.put(filters, [turn.self.key, filterId], { ...before, statuses });
  turn.emit(filtersChanged, { accountId: turn.self.key });
  keepStatuses(turn, [statusId]);
  return { filterStatusId };
}

function removeFilterStatus(
  turn: AccountTurn,
  { filterId, filterStatusId }: BodyOf<typeof filterMessages.removeFilterStatus>,
): undefined {
  const before = ownFilter(turn, filterId);
  const statuses = before.statuses.filter(({ id }) => id !== filterStatusId);
  if (statuses.length === before.statuses.length) throw new Failure('notFound');
  turn.put(filters, [turn.self.key, filterId], { ...before, statuses });
  turn.emit(filtersChanged, { accountId: turn.self.key });
}

function ownFilter(turn: AccountTurn, filterId: Id): Filter {
  const filter = turn.get(filters, [turn.self.key, filterId]);
  if (filter === undefined) throw new Failure('notFound');
  return filter;
}

function newFilter(turn: AccountTurn, changes: FilterChanges): Filter {
  const { title, contexts } = changes;
  if (title === undefined) throw validationFailure("Title can't be blank");
  if (contexts === undefined) throw validationFailure("Context can't be blank");
  let count = 0;
  for (const _filter of turn.range(filters, [turn.self.key])) count += 1;
  if (count >= filterLimits.filtersMax)
    throw validationFailure(`You cannot have more than ${count} filters`, { reason: 'tooManyFilters', limit: count });
  const empty: Filter = { title, contexts, action: 'warn', isIrreversible: false, keywords: [], statuses: [] };
  return withChanges(empty, changes, turn.now);
}

/** A new action decides anew whether matching statuses are dropped. */
function withChanges(before: Filter, changes: FilterChanges, now: number): Filter {
  const { title, contexts, action, isIrreversible, expiresInSeconds: seconds } = changes;
  const keptFlag = action === undefined ? before.isIrreversible : false;
  const expiresAt = seconds === undefined ? before.expiresAt : seconds === null ? undefined : now + seconds * 1_000;
  return {
    ...before,
    title: title ?? before.title,
    contexts: contexts ?? before.contexts,
    action: action ?? before.action,
    isIrreversible: isIrreversible ?? keptFlag,
    expiresAt,
  };
}

/** Whether a setting that all keywords of a filter share has changed. */
function sharesDiffer(before: Filter, after: Filter): boolean {
  const sharesOf = ({ contexts, action, isIrreversible, expiresAt }: Filter) =>
    JSON.stringify([contexts, action, isIrreversible, expiresAt]);
  return sharesOf(before) !== sharesOf(after);
}

function changedKeywords(
  turn: AccountTurn,
  before: readonly FilterKeyword[],
  changes: readonly KeywordChange[],
): { keywords: FilterKeyword[]; addedKeywordIds: Id[] } {
  const keywords = new Map(before.map((one) => [one.id, one]));
  const addedKeywordIds: Id[] = [];
  for (const { id, keyword, wholeWord, isRemoved } of changes) {
    const known = id === undefined ? undefined : keywords.get(id);
    if (id !== undefined && known === undefined) throw new Failure('notFound');
    if (isRemoved) {
      if (id !== undefined) keywords.delete(id);
    } else if (known !== undefined) {
      keywords.set(known.id, { ...known, keyword: keyword ?? known.keyword, wholeWord: wholeWord ?? known.wholeWord });
    } else {
      if (keyword === undefined) throw validationFailure("Keyword can't be blank");
      const added = turn.nextId();
      keywords.set(added, { id: added, keyword, wholeWord: wholeWord ?? true });
      addedKeywordIds.push(added);
    }
  }
  return { keywords: [...keywords.values()], addedKeywordIds };
}

function refuseTooManyKeywords(turn: AccountTurn, filterId: Id, { keywords }: Filter): void {
  if (keywords.length > filterLimits.keywordsPerFilterMax)
    throw validationFailure('Keywords are too many', { reason: 'tooManyWords' });
  let count = keywords.length;
  for (const { key, value } of turn.range(filters, [turn.self.key]))
    if (key[1] !== filterId) count += value.keywords.length;
  if (count > filterLimits.keywordsMax) throw validationFailure('Keywords are too many', { reason: 'tooManyWords' });
}

export const filtersFeature = feature<AccountTurn>()({
  messages: filterMessages,
  handlers: { changeFilter, removeFilter, addFilterStatus, removeFilterStatus },
  state: [state],
});
