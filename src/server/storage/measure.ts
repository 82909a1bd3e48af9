/**
 * Counts what the partitions hold. Beside a server nothing is held for longer than a slice, so that the pages which commits
 * replace are free again at once; what changes between slices is counted once, twice or not at all.
 */

import { setImmediate } from 'node:timers/promises';
import { profiles } from '../../actors/account/profile/profile.state.ts';
import { isLocal } from '../../actors/account/statuses/statuses.records.ts';
import { statuses } from '../../actors/account/statuses/statuses.state.ts';
import { afterLastKey } from '../../runtime/storage/keyspace.ts';
import type { HeldFile } from '../../runtime/storage/lmdb-snapshot.ts';
import type { Pace } from '../backup/pace.ts';
import { type Kind, kindOf, kinds } from './kinds.ts';

export interface Amount {
  readonly entries: number;
  /** Of keys and values. */
  readonly bytes: number;
}

export interface PartitionUse {
  readonly fileBytes: number;
  /** Inside the file: what was deleted or replaced, and is used again by the next commits. */
  readonly freeBytes: number;
  readonly kinds: Readonly<Record<Kind, Amount>>;
}

/** How much is read before others have their turn. */
export interface Slice {
  readonly bytes: number;
  readonly entries: number;
}

const sliceOfCommand: Slice = { bytes: 4_000_000, entries: 20_000 };
/** Behind the slot of two bytes. */
const numberAt = 2;

type Counted = Record<Kind, { entries: number; bytes: number }>;

export async function measurePartition(snapshot: HeldFile, pace: Pace, slices = sliceOfCommand): Promise<PartitionUse> {
  const counted = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, { entries: 0, bytes: 0 }])) as Counted;
  let start: Buffer | undefined = Buffer.alloc(1);
  while (start !== undefined) {
    const slice = countSlice(snapshot, start, slices, counted);
    start = slice.next;
    await pace.after(slice.bytes);
    await setImmediate();
  }
  snapshot.reader.refresh();
  const { pageBytes, pages, usedPages } = snapshot.pages();
  snapshot.release();
  return { fileBytes: pages * pageBytes, freeBytes: (pages - usedPages) * pageBytes, kinds: counted };
}

function countSlice(
  { reader, release }: HeldFile,
  start: Buffer,
  { bytes: bytesMax, entries: entriesMax }: Slice,
  counted: Counted,
) {
  reader.refresh();
  let [bytes, entries] = [0, 0];
  let last: Uint8Array | undefined;
  try {
    for (const { key, value } of reader.range({ start, end: afterLastKey, reverse: false })) {
      const size = key.byteLength + value.byteLength;
      const amount = counted[kindOfEntry(key[numberAt]!, value)];
      amount.entries += 1;
      amount.bytes += size;
      bytes += size;
      entries += 1;
      last = key;
      if (bytes >= bytesMax || entries >= entriesMax) return { bytes, next: behind(last) };
    }
    return { bytes, next: undefined };
  } finally {
    release();
  }
}

/** The key that follows. */
function behind(key: Uint8Array): Buffer {
  return Buffer.concat([key, Buffer.alloc(1)]);
}

function kindOfEntry(number: number, value: Uint8Array): Kind {
  if (number === statuses.number) return isOwn(() => isLocal(statuses.value.decode(value))) ? 'ownPosts' : 'otherPosts';
  if (number === profiles.number)
    return isOwn(() => profiles.value.decode(value).remote === undefined) ? 'ownAccounts' : 'otherAccounts';
  return kindOf({ number });
}

/** A damaged record is nobody's. */
function isOwn(read: () => boolean): boolean {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
