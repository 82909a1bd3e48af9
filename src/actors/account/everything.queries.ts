/** Reads what all accounts of a slot store, for what is derived from all of it. What is damaged is left out. */
import type { Id } from '../../runtime/ids.ts';
import type { Keyspace } from '../../runtime/storage/keyspace.ts';
import { type Reader, unlessDamaged } from '../../runtime/storage/reader.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import { bookmarkOf } from './bookmarks/bookmarks.state.ts';
import { filters } from './filters/filters.state.ts';
import { interests } from './library.queries.ts';
import { notifications } from './notifications/notifications.state.ts';
import type { Profile } from './profile/profile.records.ts';
import { logins, profiles } from './profile/profile.state.ts';
import { reports } from './reports/reports.state.ts';
import { scheduledStatuses } from './scheduled/scheduled.state.ts';
import type { Status } from './statuses/statuses.records.ts';
import { statuses, statusesOfAccount } from './statuses/statuses.state.ts';

export type EntryKey = readonly Id[];

/** The entries of a slot in the order of their keys, beginning after this key; each with its key. */
export type EveryEntry<Item> = (
  snapshots: Snapshots,
  slot: number,
  after: EntryKey | undefined,
) => Generator<{ readonly key: EntryKey; readonly item: Item }>;

function every<Key extends EntryKey, Value, Item>(
  space: Keyspace<Key, Value>,
  itemOf: (key: Key, value: Value) => Item,
): EveryEntry<Item> {
  return function* (snapshots, slot, after) {
    const from = after && ([...after.slice(0, -1), after.at(-1)! + 1n] as readonly Id[] as Key);
    for (const { key, value } of snapshots.slot(space, slot, from)) yield { key, item: itemOf(key, value) };
  };
}

export const everyAccount = every(profiles, ([accountId]) => accountId);
export const everyLogin = every(logins, ([accountId]) => accountId);
export const everyStatus = every(statuses, (_key, status) => status);

/** Who has favourited, reblogged or bookmarked what, or voted in it. */
export const everyInterest = interests.map((space) =>
  every<[bigint, bigint], unknown, { readonly accountId: Id; readonly statusId: Id }>(
    space,
    ([accountId, statusId]) => ({ accountId, statusId }),
  ),
);

/** What is kept of statuses of which their authors know nothing: each entry with the statuses that it names. */
export const everyKept: readonly EveryEntry<readonly (Id | undefined)[]>[] = [
  every(bookmarkOf, ([, statusId]) => [statusId]),
  every(notifications, (_key, { statusId }) => [statusId]),
  every(filters, (_key, filter) => filter.statuses.map(({ statusId }) => statusId)),
  every(scheduledStatuses, (_key, { post }) => [post.inReplyToId, post.quotedStatusId]),
  every(reports, (_key, { statusIds }) => statusIds),
];

export function soundStatus(reader: Reader, statusId: Id): Status | undefined {
  return unlessDamaged(() => reader.get(statuses, [statusId]));
}

export function soundProfile(reader: Reader, accountId: Id): Profile | undefined {
  return unlessDamaged(() => reader.get(profiles, [accountId]));
}

/** The statuses of an account with ids above this one, in their order. */
export function* statusIdsOf(reader: Reader, accountId: Id, after: Id): Generator<Id> {
  for (const { key } of reader.range(statusesOfAccount, [accountId], { from: after + 1n })) yield key[1];
}
