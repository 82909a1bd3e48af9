/**
 * What a data folder's log was given, batch by batch, as a file: the puts of real turns, for whoever wants to repeat them
 * without the turns. Each entry is four bytes of length and a packed batch.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { pack, unpack } from '../../src/runtime/codec.ts';
import type { LogBatch, PartitionLog } from '../../src/runtime/storage/log.ts';

export interface RecordedBatch {
  readonly partition: number;
  readonly keys: readonly Uint8Array[];
  /** Undefined deletes. */
  readonly values: readonly (Uint8Array | undefined)[];
}

export interface RecordedSums {
  commits: number;
  puts: number;
  deletes: number;
  /** Of keys and values. */
  bytes: number;
}

export interface Recorder {
  wrap(log: PartitionLog, partition: number): PartitionLog;
  /** Forgets what was summed up so far, and answers it. */
  takeSums(): RecordedSums;
  close(): void;
}

export function openRecorder(path: string): Recorder {
  const file = openSync(path, 'w');
  let sums = noSums();
  const record = (partition: number, { keys, values }: LogBatch) => {
    const bytes = pack({ partition, keys, values });
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.byteLength);
    writeSync(file, length);
    writeSync(file, bytes);
    add(sums, keys, values);
  };
  return {
    wrap: (log, partition) => ({
      reader: log.reader,
      open: (epoch, answer) => log.open(epoch, answer),
      tail: (answer) => log.tail(answer),
      read: (after) => log.read(after),
      truncate: (position) => log.truncate(position),
      append: (batch, completed) => {
        record(partition, batch);
        log.append(batch, completed);
      },
      close: () => log.close(),
    }),
    takeSums() {
      const taken = sums;
      sums = noSums();
      return taken;
    },
    close: () => closeSync(file),
  };
}

function noSums(): RecordedSums {
  return { commits: 0, puts: 0, deletes: 0, bytes: 0 };
}

function add(sums: RecordedSums, keys: LogBatch['keys'], values: LogBatch['values']): void {
  sums.commits += 1;
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    sums.bytes += key.byteLength + (value?.byteLength ?? 0);
    if (value === undefined) sums.deletes += 1;
    else sums.puts += 1;
  }
}

export function* readRecording(path: string): Generator<RecordedBatch> {
  const bytes = readFileSync(path);
  for (let offset = 0; offset < bytes.length; ) {
    const length = bytes.readUInt32LE(offset);
    offset += 4;
    yield unpack(bytes.subarray(offset, offset + length)) as RecordedBatch;
    offset += length;
  }
}
