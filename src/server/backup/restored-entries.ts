/** Writes the entries of a backup into a new partition, and changes those that say where the server stands. */
import type { LogBatch, PartitionLog } from '../../runtime/storage/log.ts';
import { events, identity, meta, type PartitionIdentity, type PartitionMeta } from '../../runtime/storage/machine.ts';
import { append } from '../folder/partition-files.ts';
import { entriesOf } from './entries.ts';

/** What is new about the partition. */
export interface NewPlace {
  readonly identity: Omit<PartitionIdentity, 'format' | 'migrated'>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Ten thousand commits a second need more than three years for so many. */
const commitsPassedOver = 2 ** 40;

const entriesPerCommit = 5_000;
const bytesPerCommit = 8 * 1024 * 1024;
/** Of every key: a slot, and then the number of its keyspace. */
const slotBytes = 2;

/** Returns how many entries the file has. Without a new place everything stays as it was. Rejects with the refusal of the log. */
export async function writeEntries(log: PartitionLog, file: Buffer, place: NewPlace | undefined): Promise<number> {
  let batch = emptyBatch();
  let bytes = 0;
  let count = 0;
  for (const { key, value } of entriesOf(file)) {
    count += 1;
    const written = place === undefined ? value : restored(key, value, place);
    if (written === undefined) continue;
    batch.keys.push(key);
    batch.values.push(written);
    bytes += key.byteLength + value.byteLength;
    if (batch.keys.length < entriesPerCommit && bytes < bytesPerCommit) continue;
    await append(log, batch);
    [batch, bytes] = [emptyBatch(), 0];
  }
  if (batch.keys.length > 0) await append(log, batch);
  return count;
}

function emptyBatch(): LogBatch & { keys: Uint8Array[]; values: Uint8Array[] } {
  return { keys: [], values: [] };
}

/** Undefined for what is left out: event logs begin anew. */
function restored(key: Uint8Array, value: Uint8Array, place: NewPlace): Uint8Array | undefined {
  const number = key[slotBytes];
  if (number === events.number) return undefined;
  if (number === meta.number) return meta.value.encode(countersAfter(meta.value.decode(value), place.now));
  if (number === identity.number) return identity.value.encode({ ...identity.value.decode(value), ...place.identity });
  return value;
}

/** Ids were given until now at most, and none is given again. */
function countersAfter(before: PartitionMeta, now: number): PartitionMeta {
  const commit = before.commit + commitsPassedOver;
  const gapFrom = Math.max(before.idGapFrom, now);
  const hasGap = gapFrom < before.idGapUntil;
  return {
    ...before,
    commit,
    idMillisecondsMax: Math.max(before.idMillisecondsMax, now),
    idGapFrom: hasGap ? gapFrom : 0,
    idGapUntil: hasGap ? before.idGapUntil : 0,
    eventBytes: 0,
    eventsTrimmedCommit: commit,
    eventsTrimmedIndex: Number.MAX_SAFE_INTEGER,
  };
}
