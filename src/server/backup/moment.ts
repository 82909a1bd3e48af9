/**
 * One moment of all partitions, while a server writes them (docs/decisions/0071). Snapshots are taken one after the other
 * without stopping anybody, and compared as a start compares partitions: they are of one moment where no partition has taken
 * a message that another has not sent yet, nor dropped one that another has not taken. Otherwise they are taken again. Taking
 * them lasts microseconds, and a contradiction needs a whole commit in between.
 */
import { setTimeout } from 'node:timers/promises';
import { evenPlacement } from '../../runtime/placement.ts';
import type { HeldFile, HeldSnapshot } from '../../runtime/storage/lmdb-snapshot.ts';
import type { RangeOptions, StorageEntry, StorageReader } from '../../runtime/storage/log.ts';
import type { ServerReader } from '../../runtime/storage/reader.ts';
import { Snapshots } from '../../runtime/storage/snapshots.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import { isRunningServer, lockOrReach } from '../folder/lock-or-reach.ts';
import { type FolderManifest, isFormer, notMigrated, partitionsOf, readManifest } from '../folder/manifest.ts';
import { assertWhole, openPartitionHeld } from '../folder/partition-files.ts';
import {
  areCurrent,
  assertMade,
  assertNoMore,
  contradictionOf,
  verifyChannels,
  verifyIdentities,
} from '../folder/verify.ts';

export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly manifest: FolderManifest;
}

export interface OpenFolder {
  readonly partitions: readonly HeldFile[];
  /** Of the moment that is held. */
  readonly reader: ServerReader;
  /** Holds the state of one moment in all of them. Rejects with an Error whose message is a sentence. */
  hold(): Promise<Moment>;
  close(): Promise<void>;
}

const attemptsMax = 100;
const pauseMilliseconds = 5;

/**
 * Beside a server, or without one: a stopped server is kept from starting only until its files are open. `tell`: see
 * `lockOrReach`, like which it rejects. `isFollowing`: see `openToRead`.
 */
export async function openBeside<Result>(
  folder: DataFolder,
  work: (opened: OpenFolder, hasServer: boolean) => Promise<Result>,
  tell?: (sentence: string) => void,
  isFollowing = false,
): Promise<Result> {
  const holder = await lockOrReach(folder, undefined, tell);
  const hasServer = isRunningServer(holder);
  let opened: OpenFolder;
  try {
    opened = openToRead(folder, hasServer, isFollowing);
  } finally {
    await (hasServer ? holder.close() : holder.release());
  }
  try {
    return await work(opened, hasServer);
  } finally {
    await opened.close();
  }
}

/**
 * The caller holds the folder's lock, or a server runs on it. Throws an Error whose message is a sentence. `isFollowing`: each
 * partition follows its log for itself, and so what is held is of one moment for each of them, and not for all together.
 */
export function openToRead(opened: DataFolder, hasServer: boolean, isFollowing = false): OpenFolder {
  const { folder, manifest } = manifestOf(opened);
  const numbers = Array.from({ length: manifest.partitions }, (_, number) => number);
  if (!hasServer) for (const number of numbers) assertWhole(folder, number, 'upper');
  assertNoMore(folder, manifest.partitions);
  const partitions = numbers.map((number) => openPartitionHeld(folder, number, hasServer));
  const held = partitions.map(({ reader }) => new HeldReader(reader));
  return {
    partitions,
    reader: new Snapshots(evenPlacement(manifest.partitions), held),
    async hold() {
      const before = manifestOf(opened);
      if (before.folder.generation !== folder.generation)
        throw new Error('The number of partitions was changed meanwhile. Try again.');
      if (isFollowing) for (const { reader } of partitions) reader.refresh();
      else {
        await holdTogether(folder, partitions);
        verifyIdentities(folder, before.manifest, partitions);
      }
      return { at: systemClock.now(), manifest: before.manifest };
    },
    close: async () => {
      for (const partition of partitions) await partition.close();
    },
  };
}

/** Rejects with an Error whose message is a sentence where they contradict each other every time: the folder is damaged. */
export async function holdTogether(folder: DataFolder, partitions: readonly HeldSnapshot[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    for (const { reader } of partitions) reader.refresh();
    // A folder of an earlier format is one that nobody serves.
    if (!areCurrent(partitions) || contradictionOf(folder, partitions) === undefined) return;
    if (attempt === attemptsMax) {
      verifyChannels(folder, partitions);
      return;
    }
    await setTimeout(pauseMilliseconds);
  }
}

/** Is not renewed for a read. */
class HeldReader implements StorageReader {
  readonly failures = 0;
  private readonly reader: StorageReader;

  constructor(reader: StorageReader) {
    this.reader = reader;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.reader.get(key);
  }

  range(options: RangeOptions): Iterable<StorageEntry> {
    return this.reader.range(options);
  }

  refresh(): void {
    // The moment stays.
  }
}

function manifestOf(opened: DataFolder): { readonly folder: DataFolder; readonly manifest: FolderManifest } {
  const manifest = readManifest(opened);
  assertMade(opened, manifest);
  if (isFormer(manifest)) throw notMigrated(opened);
  return { folder: partitionsOf(opened, manifest), manifest };
}
