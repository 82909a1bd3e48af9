/**
 * The table of viewer state: the fields of a status that differ between viewers. The presenter reads and caches them,
 * and encoders append them to the status in the order of the table. A new field is one row here; whatever changes it
 * emits an event that invalidates `cacheables.viewerState`.
 */
import { bookmarkedAmong } from '../../actors/account/bookmarks/bookmarks.queries.ts';
import { favouritedAmong, rebloggedAmong } from '../../actors/account/interactions/interactions.queries.ts';
import { pinnedAmong } from '../../actors/account/pins/pins.queries.ts';
import { choicesAmong, noChoices } from '../../actors/account/polls/polls.queries.ts';
import { inMutedThreads } from '../../actors/account/threads/threads.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { StatusFilterMatch } from './filters.ts';

interface Field<Value> {
  /** The value where the query has none. */
  readonly default: Value;
  /** The field is inside the poll of the status, where it has one, and not at the end of the entity. */
  readonly isInPoll?: true;
  /** Who is shown the field: viewers who are signed in, unless stated otherwise. */
  readonly shownTo?: 'author' | 'everybody';
  /**
   * The values of many statuses for one viewer, in the order of the ids. For a reblog the original is queried. Without
   * a query nothing sets the field yet, and everybody gets the default.
   */
  readonly query?: (reader: Reader, viewerId: Id, statusIds: readonly Id[]) => readonly Value[];
}

function field<Value>(declaration: Field<Value>): Field<Value> {
  return declaration;
}

const viewerStateFields = {
  favourited: field<boolean>({ default: false, query: favouritedAmong }),
  reblogged: field<boolean>({ default: false, query: rebloggedAmong }),
  muted: field<boolean>({ default: false, query: inMutedThreads }),
  bookmarked: field<boolean>({ default: false, query: bookmarkedAmong }),
  pinned: field<boolean>({ default: false, shownTo: 'author', query: pinnedAmong }),
  /** Options of the poll that the viewer has chosen; none before voting. */
  choices: field<readonly number[]>({ default: noChoices, isInPoll: true, query: choicesAmong }),
  /** Without a query: the presenter matches the viewer's filters, which it caches compiled (filters.ts). */
  filtered: field<readonly StatusFilterMatch[]>({ default: [], shownTo: 'everybody' }),
};

type Fields = typeof viewerStateFields;
export type ViewerStateField = keyof Fields;
export type ViewerState = { readonly [Name in ViewerStateField]: Fields[Name]['default'] };

const declared = Object.entries(viewerStateFields) as [ViewerStateField, Field<unknown>][];

/** The state of a status for viewers without any relationship to it. */
export const defaultState = Object.fromEntries(
  declared.map(([name, { default: unset }]) => [name, unset]),
) as ViewerState;

/** The states of many statuses, in the order of the ids; `defaultState` itself for most of them. */
export function readStates(reader: Reader, viewerId: Id, statusIds: readonly Id[]): ViewerState[] {
  const columns = declared.map(([name, { default: unset, query }]) => ({
    name,
    unset,
    values: query?.(reader, viewerId, statusIds),
  }));
  return statusIds.map((_, index) => {
    const isDefault = columns.every(({ unset, values }) => values === undefined || values[index] === unset);
    if (isDefault) return defaultState;
    return Object.fromEntries(
      columns.map(({ name, unset, values }) => [name, values === undefined ? unset : values[index]]),
    ) as ViewerState;
  });
}

/** One field of the viewer's state of an original. */
export function readField<Name extends ViewerStateField>(
  reader: Reader,
  viewerId: Id,
  statusId: Id,
  name: Name,
): ViewerState[Name] {
  const { query, default: unset }: Field<unknown> = viewerStateFields[name];
  return (query === undefined ? unset : query(reader, viewerId, [statusId])[0]) as ViewerState[Name];
}

/** Readers by the fields they see. An author reads a direct status of their own as nobody else does. */
export type StateReader = 'anonymous' | 'viewer' | 'author' | 'author of direct';

/** The fields shown to a reader, in the order of the table. */
export function fieldsShownTo(reader: StateReader): ViewerStateField[] {
  return declared.flatMap(([name, { shownTo = 'viewer', isInPoll }]) => {
    if (isInPoll) return [];
    if (shownTo === 'everybody') return [name];
    if (reader === 'anonymous') return [];
    return shownTo === 'author' && reader !== 'author' ? [] : [name];
  });
}
