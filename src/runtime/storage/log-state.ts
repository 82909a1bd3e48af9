/** The position of a log as recorded in its state, for logs whose batches are applied to a local store. */
import { decodeRecord } from '../partition/undecodable.ts';
import { type LogBatch, LogRefusal, type LogTail, StorageFailure, type StorageReader } from './log.ts';
import { countedEpoch, meta, type PartitionMeta, startingMeta } from './machine.ts';

const metaKey = meta.encode([0]);

/** The counters of a partition cannot be decoded: it runs nothing without them. */
export class DamagedCounters extends StorageFailure {}

/** Throws StorageFailure where it cannot be read, DamagedCounters where it cannot be decoded. */
export function storedTail(reader: StorageReader): LogTail {
  const { commit, epoch } = storedMeta(reader);
  return { position: commit, epoch: countedEpoch(epoch) };
}

/** The batch that opening in a new epoch writes, to fence earlier owners. */
export function barrier(reader: StorageReader, epoch: number): LogBatch {
  return { keys: [metaKey], values: [meta.value.encode({ ...storedMeta(reader), epoch })] };
}

/**
 * Whether a later epoch has begun. Asked before each append, so no more is validated than that these are counters. Throws
 * as `storedTail` does.
 */
export function isOpenedSince(reader: StorageReader, epoch: number): boolean {
  const record = reader.get(metaKey);
  return record !== undefined && countedEpoch(decoded(() => epochOf(meta.value.decode(record)))) > epoch;
}

function epochOf({ commit, epoch }: PartitionMeta): number {
  if (typeof commit !== 'number') throw new Error('these are no counters');
  return epoch;
}

/** The result of a read, with a StorageFailure as a refusal. */
export function answered(read: () => LogTail | LogRefusal): LogTail | LogRefusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof StorageFailure) return new LogRefusal('unknown', error);
    throw error;
  }
}

/** Throws DamagedCounters for a record of `meta` that cannot be decoded. */
export function assertCounters(record: Uint8Array): void {
  decoded(() => decodeRecord(meta, record));
}

function storedMeta(reader: StorageReader): PartitionMeta {
  const record = reader.get(metaKey);
  return record === undefined ? startingMeta : decoded(() => decodeRecord(meta, record));
}

function decoded<Value>(decode: () => Value): Value {
  try {
    return decode();
  } catch (error) {
    throw new DamagedCounters(error);
  }
}
