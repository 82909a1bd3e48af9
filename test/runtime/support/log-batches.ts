/** Batches of text, and what a log does with them. */
import type { LogBatch, PartitionLog } from '../../../src/runtime/storage/log.ts';
import { meta, startingMeta } from '../../../src/runtime/storage/machine.ts';

export const key = (text: string) => Buffer.from(text, 'latin1');
export const value = (text: string) => Buffer.from(text);
export const textOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

export function batchOf(entries: Record<string, string | undefined>): LogBatch {
  return {
    keys: Object.keys(entries).map(key),
    values: Object.values(entries).map((text) => (text === undefined ? undefined : value(text))),
  };
}

export function append(log: PartitionLog, batch: LogBatch): Promise<void> {
  return new Promise((resolve, reject) =>
    log.append(batch, (error) => (error === undefined ? resolve() : reject(error))),
  );
}

/** A batch as a partition makes it, with its place in the log. */
export function recordOf(position: number, epoch: number, entries: Record<string, string>): LogBatch {
  const { keys, values } = batchOf(entries);
  const counters = meta.value.encode({ ...startingMeta, commit: position, epoch });
  return { keys: [...keys, meta.encode([0])], values: [...values, counters] };
}
