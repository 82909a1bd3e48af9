/**
 * Migrates a partition to a newer format in slices. Each slice is one commit that also stores how far the migration has
 * come, so that it can be interrupted anywhere and resumed.
 *
 * A migration reads and writes the bytes of both formats itself: current declarations do not describe the old one.
 */
import { afterLastKey } from './keyspace.ts';
import type { LogBatch, PartitionLog, StorageEntry, StorageReader } from './log.ts';
import { identity, type PartitionIdentity } from './machine.ts';
import { SnapshotReader } from './reader.ts';

export interface Migration {
  /** The format of a partition afterwards. */
  readonly format: number;
  /** Numbers of the keyspaces whose entries it visits. */
  readonly keyspaces: readonly number[];
  /**
   * The change for one entry. It may read other entries, as changes before it left them. It is visited once; an entry
   * that a change adds may still be visited.
   */
  change(entry: StorageEntry, read: StorageReader['get']): LogBatch;
}

export interface MigrationInput {
  readonly log: PartitionLog;
  readonly migrations: readonly Migration[];
  readonly entriesPerSlice?: number;
  /** Settles when the log's reader shows the batch. */
  append(batch: LogBatch): Promise<void>;
  /** Ends it between two slices. */
  readonly signal?: AbortSignal | undefined;
}

/** A slice that left the partition where it was: the next one would be the same, without end. */
export class MigrationStalled extends Error {
  constructor(format: number) {
    super(`the migration to format ${format} does not advance`);
    this.name = 'MigrationStalled';
  }
}

const entriesPerSliceDefault = 5_000;
const firstKey = Uint8Array.of(0);

/**
 * Runs the migrations that a partition lacks, in the order of their formats. The partition must have an identity.
 * Rejects with `MigrationStalled`, with what `append` rejected with, or with the reason of the signal.
 */
export async function migrate(input: MigrationInput): Promise<void> {
  const { log, migrations } = input;
  const byFormat = [...migrations].sort((one, other) => one.format - other.format);
  for (const migration of byFormat) {
    let before = identityOf(log);
    while (before.format < migration.format) {
      input.signal?.throwIfAborted();
      await input.append(nextSlice(migration, input));
      const after = identityOf(log);
      if (!hasAdvanced(before, after)) throw new MigrationStalled(migration.format);
      before = after;
    }
  }
}

function nextSlice(migration: Migration, { log, entriesPerSlice = entriesPerSliceDefault }: MigrationInput): LogBatch {
  const before = identityOf(log);
  const slice = new Slice(log.reader);
  let migrated: Uint8Array | undefined;
  let count = 0;
  const start = before.migrated === undefined ? firstKey : keyAfter(before.migrated);
  for (const entry of log.reader.range({ start, end: afterLastKey, limit: entriesPerSlice })) {
    if (migration.keyspaces.includes(entry.key[2]!)) {
      slice.add(migration.change(entry, slice.read));
    }
    migrated = Uint8Array.from(entry.key);
    count += 1;
  }
  const isThrough = count < entriesPerSlice;
  const after = isThrough
    ? { ...before, format: migration.format, migrated: undefined }
    : { ...before, migrated: migrated! };
  slice.add({ keys: [identity.encode([0])], values: [identity.value.encode(after)] });
  return slice.batch();
}

/** The changes of a slice; the last one of each key counts. */
class Slice {
  private readonly changes = new Map<string, { key: Uint8Array; value: Uint8Array | undefined }>();

  private readonly before: StorageReader;

  constructor(before: StorageReader) {
    this.before = before;
  }

  readonly read = (key: Uint8Array): Uint8Array | undefined => {
    const changed = this.changes.get(nameOf(key));
    return changed === undefined ? this.before.get(key) : changed.value;
  };

  add({ keys, values }: LogBatch): void {
    for (const [index, key] of keys.entries()) this.changes.set(nameOf(key), { key, value: values[index] });
  }

  batch(): LogBatch {
    const changes = [...this.changes.values()];
    return { keys: changes.map(({ key }) => key), values: changes.map(({ value }) => value) };
  }
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key).toString('latin1');
}

function hasAdvanced(before: PartitionIdentity, after: PartitionIdentity): boolean {
  if (after.format !== before.format) return after.format > before.format;
  return after.migrated !== undefined && Buffer.compare(after.migrated, before.migrated ?? firstKey) > 0;
}

function identityOf(log: PartitionLog) {
  return new SnapshotReader(log.reader).get(identity, [0])!;
}

/** The next key in the order of bytes. */
function keyAfter(key: Uint8Array): Uint8Array {
  return Uint8Array.from([...key, 0]);
}
