/**
 * `murmuration compact`: writes the partitions of a stopped server anew, without the pages that are free inside their
 * files, which LMDB itself never gives back.
 *
 * INVARIANTS
 * 1. The new files are written beside the old ones as another generation, and compared with them entry by entry, before the
 *    manifest names them: until then the folder is the old one, afterwards the new one, whenever this is interrupted. What
 *    is left behind is removed by the next start, or the next call.
 * 2. Refused for a folder that is unsound, or that lacks room for the new files.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../runtime/storage/durable-files.ts';
import { afterLastKey } from '../../runtime/storage/keyspace.ts';
import type { HeldFile } from '../../runtime/storage/lmdb-snapshot.ts';
import { checkFolder } from './check-folder.ts';
import type { DataFolder } from './data-folder.ts';
import { type FolderManifest, isFormer, notMigrated, partitionsOf, readManifest, writeManifest } from './manifest.ts';
import {
  assertWhole,
  copyCompacted,
  openPartitionHeld,
  partitionFileName,
  removeOtherGenerations,
  removePartitions,
} from './partition-files.ts';
import { reasonOf } from './prepare.ts';
import { assertMade } from './verify.ts';

export interface CompactPorts {
  /** Some media may be in a bucket, and are not missed in the folder. */
  readonly hasBucket?: boolean;
  /** Of the file system of the folder. */
  freeBytes(): number;
  show(line: string): void;
}

export interface Compacted {
  /** Of the files of all partitions. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

const wholeKeys = { start: Buffer.alloc(1), end: afterLastKey, reverse: false } as const;

/** The caller holds the folder's lock. Rejects with an Error whose message is a sentence, and then the folder is unchanged. */
export async function compactFolder(opened: DataFolder, ports: CompactPorts): Promise<Compacted> {
  const manifest = readManifest(opened);
  assertMade(opened, manifest);
  if (isFormer(manifest)) throw notMigrated(opened);
  ports.show('Checking');
  if (!(await checkFolder(opened, { hasBucket: ports.hasBucket ?? false })).sound)
    throw new Error(`The data folder ${opened.path} is damaged. Run murmuration check for details.`);
  const folder = partitionsOf(opened, manifest);
  removeOtherGenerations(folder);
  const bytesBefore = bytesIn(folder, manifest.partitions);
  const wanted = { ...manifest, generation: (manifest.generation ?? 0) + 1 };
  const place = partitionsOf(opened, wanted);
  try {
    await copyAll(folder, place, manifest, ports);
    syncFolder(opened.path);
    writeManifest(opened, wanted);
  } catch (error) {
    removePartitions(place);
    throw new Error(`The partitions stay as they were: ${reasonOf(error)}`, { cause: error });
  }
  removeOtherGenerations(place);
  return { bytesBefore, bytesAfter: bytesIn(place, manifest.partitions) };
}

function bytesIn(folder: DataFolder, partitions: number): number {
  const sizes = Array.from(
    { length: partitions },
    (_, number) => statSync(join(folder.path, partitionFileName(folder, number))).size,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function copyAll(
  folder: DataFolder,
  place: DataFolder,
  { partitions }: FolderManifest,
  { freeBytes, show }: CompactPorts,
): Promise<void> {
  const numbers = Array.from({ length: partitions }, (_, number) => number);
  await withHeld(folder, numbers, (from) => {
    assertRoom(from, freeBytes());
    return Promise.resolve();
  });
  for (const number of numbers) {
    show(`Partition ${number + 1} of ${partitions}`);
    await withHeld(folder, [number], async ([from]) => {
      await copyCompacted(place, number, from!);
      assertWhole(place, number, 'every');
      await withHeld(place, [number], ([copy]) => {
        assertSame(from!, copy!);
        return Promise.resolve();
      });
    });
  }
}

async function withHeld(
  folder: DataFolder,
  numbers: readonly number[],
  work: (held: readonly HeldFile[]) => Promise<void>,
): Promise<void> {
  const held: HeldFile[] = [];
  try {
    for (const number of numbers) {
      held.push(openPartitionHeld(folder, number, false));
      held.at(-1)!.reader.refresh();
    }
    await work(held);
  } finally {
    for (const partition of held) await partition.close();
  }
}

function assertRoom(from: readonly HeldFile[], freeBytes: number): void {
  const needed = from.reduce((sum, partition) => {
    const { pageBytes, usedPages } = partition.pages();
    return sum + pageBytes * usedPages;
  }, 0);
  if (freeBytes >= needed) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000);
  throw new Error(
    `there is not enough room for the new files beside the old ones: ${megabytes(needed)} MB are needed, ${megabytes(freeBytes)} MB are free.`,
  );
}

function assertSame(one: HeldFile, other: HeldFile): void {
  const copies = other.reader.range(wholeKeys)[Symbol.iterator]();
  const entries = one.reader.range(wholeKeys)[Symbol.iterator]();
  for (;;) {
    const [entry, copied] = [entries.next(), copies.next()];
    if (entry.done === true && copied.done === true) return;
    const isSame =
      entry.done !== true &&
      copied.done !== true &&
      Buffer.compare(entry.value.key, copied.value.key) === 0 &&
      Buffer.compare(entry.value.value, copied.value.value) === 0;
    if (!isSame) throw new Error('the copy differs from the original.');
  }
}
