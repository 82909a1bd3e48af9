/** Reads what an account takes along: its archive, and its lists in the order in which they are stored. */
import type { Id } from '../../../runtime/ids.ts';
import type { Keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { bookmarks } from '../bookmarks/bookmarks.state.ts';
import { favourites } from '../interactions/interactions.state.ts';
import type { Follow, Mute } from '../relationships/relationships.records.ts';
import { blocks, following, mutes } from '../relationships/relationships.state.ts';
import { statusesOfAccount } from '../statuses/statuses.state.ts';
import type { Archive } from './leaving.records.ts';
import { archives } from './leaving.state.ts';

export function archiveOf(reader: Reader, accountId: Id): Archive | undefined {
  return reader.get(archives, [accountId]);
}

/** Entries of a list behind this one: the key by which it goes on, and the status. */
export type StatusIdsAfter = (
  reader: Reader,
  accountId: Id,
  after: Id | undefined,
  limit: number,
) => { readonly key: Id; readonly statusId: Id }[];

function idsAfter<Value>(
  space: Keyspace<[bigint, bigint], Value>,
  statusIdOf: (key: Id, value: Value) => Id,
): StatusIdsAfter {
  return (reader, accountId, after, limit) =>
    Array.from(
      reader.range(space, [accountId], { from: after === undefined ? undefined : after + 1n, limit }),
      ({ key, value }) => ({ key: key[1], statusId: statusIdOf(key[1], value) }),
    );
}

/** In the order of their time. */
export const statusesAfter = idsAfter(statusesOfAccount, (key) => key);
export const favouritesAfter = idsAfter(favourites, (_key, { id }) => id);
export const bookmarksAfter = idsAfter(bookmarks, (_key, { id }) => id);

export function* followsOf(reader: Reader, accountId: Id): Generator<Follow & { readonly targetId: Id }> {
  for (const { key, value } of reader.range(following, [accountId])) yield { ...value, targetId: key[1] };
}

export function* blockedIdsOf(reader: Reader, accountId: Id): Generator<Id> {
  for (const { key } of reader.range(blocks, [accountId])) yield key[1];
}

export function* allMutesOf(reader: Reader, accountId: Id): Generator<Mute & { readonly targetId: Id }> {
  for (const { key, value } of reader.range(mutes, [accountId])) yield { ...value, targetId: key[1] };
}
