/** A stream in memory. Several logs may share it, as several owners share one of a server. */
import type { LogStream, Published, StoredRecord } from '../../src/runtime/cluster/stream.ts';

export class MemoryStream implements LogStream {
  /** Replaced to change what is stored. */
  records: StoredRecord[] = [];
  recordsMax = Number.POSITIVE_INFINITY;
  private readonly recordBytes: number;
  /** The first position that is kept, or that comes next. */
  first = 1;

  constructor(recordBytes = 1 << 20) {
    this.recordBytes = recordBytes;
  }

  get last(): number {
    return this.records.at(-1)?.sequence ?? this.first - 1;
  }

  recordBytesMax(): Promise<number> {
    return Promise.resolve(this.recordBytes);
  }

  /** At once. */
  store(record: Uint8Array, last: number): Published {
    if (last !== this.last) return { kind: 'conflict' };
    if (this.records.length >= this.recordsMax) return { kind: 'full', cause: new Error('no room') };
    if (record.byteLength > this.recordBytes) throw new Error('the record is too large');
    this.records.push({ sequence: last + 1, bytes: Uint8Array.from(record) });
    return { kind: 'stored', sequence: last + 1 };
  }

  publish(record: Uint8Array, last: number): Promise<Published> {
    return Promise.resolve(this.store(record, last));
  }

  bounds(): Promise<{ first: number; last: number }> {
    return Promise.resolve({ first: this.first, last: this.last });
  }

  get(sequence: number): Promise<StoredRecord | undefined> {
    return Promise.resolve(this.records.find((stored) => stored.sequence === sequence));
  }

  async *replay(from: number, to: number): AsyncGenerator<StoredRecord> {
    yield* this.records.filter(({ sequence }) => sequence >= from && sequence <= to);
  }

  truncate(before: number): Promise<void> {
    this.records = this.records.filter(({ sequence }) => sequence >= before);
    this.first = Math.max(this.first, before);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
