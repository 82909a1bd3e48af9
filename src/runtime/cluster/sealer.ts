/** Makes records of batches: each with its number, and the digest of the one before it. */
import type { LogBatch } from '../storage/log.ts';
import { digestOf, encodeBatch, encodeRecord, type RecordKind, type StreamRecord } from './stream-record.ts';
import { countersIn } from './view.ts';

export interface Sealed {
  readonly record: StreamRecord;
  readonly bytes: Uint8Array;
  readonly digest: Uint8Array;
}

interface Place {
  readonly epoch: number;
  readonly position: number;
  readonly previous: Uint8Array;
}

/** More than a record has besides its body. */
const headBytes = 512;

export class Sealer {
  private readonly writer: string;
  private readonly bodyBytesMax: number;
  private number: number;
  private position = 0;
  private previous: Uint8Array = new Uint8Array(0);

  /** `former`: of the same writer, whose numbers are used up. */
  constructor(writer: string, recordBytesMax: number, former?: Sealer) {
    this.writer = writer;
    this.bodyBytesMax = recordBytesMax - headBytes;
    this.number = former?.number ?? 0;
  }

  /** Later records follow this one. */
  goOn(previous: Uint8Array, position: number): void {
    this.previous = previous;
    this.position = position;
  }

  sealBatch(batch: LogBatch, epoch: number, kind: RecordKind = 'batch'): Sealed[] {
    this.position = countersIn(batch)?.commit ?? this.position;
    const { position } = this;
    const sealed = this.seal(kind, batch, { epoch, position, previous: this.previous });
    this.previous = sealed.at(-1)!.digest;
    return sealed;
  }

  sealBarrier(batch: LogBatch, place: Place): Sealed {
    return this.seal('barrier', batch, place)[0]!;
  }

  private seal(kind: RecordKind, batch: LogBatch, { epoch, position, previous: before }: Place): Sealed[] {
    const whole = encodeBatch(batch);
    const parts = Math.max(1, Math.ceil(whole.byteLength / this.bodyBytesMax));
    let previous = before;
    return Array.from({ length: parts }, (_, part) => {
      this.number += 1;
      const body = whole.subarray(part * this.bodyBytesMax, (part + 1) * this.bodyBytesMax);
      const { writer, number } = this;
      const record = { kind, epoch, writer, number, position, previous, part, parts, body };
      const bytes = encodeRecord(record);
      previous = digestOf(bytes);
      return { record, bytes, digest: previous };
    });
  }
}
