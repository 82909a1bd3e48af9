/**
 * Decides which records of a stream count. Every reader decides the same.
 *
 * A record counts if it names the digest of the last one that counts. Others are void: what an owner had sent before
 * another one began, and what arrived without what was sent before it. Each append expects a position, but the second of two
 * appends that are under way fits behind the barrier that took the place of the first: positions alone do not fence.
 *
 * INVARIANT a record that is void although its writer has just written the one before it was changed afterwards, or that one
 * was: this is damage, and not passed over.
 */
import { type LogBatch, LogContradiction } from '../storage/log.ts';
import type { StoredRecord } from './stream.ts';
import {
  areSame,
  decodeBatch,
  decodeRecord,
  digestOf,
  noDigest,
  type StreamRecord,
  UnreadableRecord,
} from './stream-record.ts';

/** The end of a chain. */
export interface ChainPlace {
  /** The last position of the stream that was looked at. */
  readonly sequence: number;
  /** Of the last record that counts. */
  readonly digest: Uint8Array;
}

/** The stream contradicts itself, or a copy of it. */
export class BrokenChain extends LogContradiction {}

export interface Counted {
  readonly record: StreamRecord;
  readonly digest: Uint8Array;
  readonly sequence: number;
  /** What it commits; undefined for a part that is not the last. */
  readonly batch: LogBatch | undefined;
}

export class Chain {
  private place: ChainPlace;
  private last: Pick<StreamRecord, 'epoch' | 'writer' | 'number'> | undefined;
  private pieces: Uint8Array[] = [];

  constructor(place: ChainPlace = { sequence: 0, digest: noDigest }, last?: StreamRecord) {
    this.place = place;
    this.last = last;
  }

  get sequence(): number {
    return this.place.sequence;
  }

  get digest(): Uint8Array {
    return this.place.digest;
  }

  /** The next record of the stream; undefined where it is void. Throws BrokenChain. */
  take({ sequence, bytes }: StoredRecord): Counted | undefined {
    if (sequence !== this.sequence + 1) throw new BrokenChain(`Record ${this.sequence + 1} of the log is missing.`);
    const record = readable(sequence, () => decodeRecord(bytes));
    if (!areSame(record.previous, this.digest)) {
      this.assertVoid(sequence, record);
      this.place = { sequence, digest: this.digest };
      return undefined;
    }
    const digest = digestOf(bytes);
    const pieces = this.follow(record, { sequence, digest });
    const batch =
      pieces && readable(sequence, () => decodeBatch(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)));
    return { record, digest, sequence, batch };
  }

  /** The record counts. Returns the parts of what it commits; undefined for a part that is not the last. */
  follow(record: StreamRecord, place: ChainPlace): readonly Uint8Array[] | undefined {
    const { part, parts, body } = record;
    const pieces = part === 0 ? [] : this.pieces;
    if (part !== pieces.length) throw new BrokenChain(`Record ${place.sequence} of the log has no beginning.`);
    this.last = record;
    this.place = place;
    pieces.push(body);
    this.pieces = part === parts - 1 ? [] : pieces;
    return part === parts - 1 ? pieces : undefined;
  }

  private assertVoid(sequence: number, { epoch, writer, number }: StreamRecord): void {
    const { last } = this;
    const isNext = last !== undefined && epoch === last.epoch && writer === last.writer && number === last.number + 1;
    if (last === undefined || epoch > last.epoch || isNext)
      throw new BrokenChain(
        `Record ${sequence} of the log does not follow the one before it: one of them was changed.`,
      );
  }
}

function readable<Value>(sequence: number, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error;
    throw new BrokenChain(`Record ${sequence} of the log cannot be read: ${error.message}.`, { cause: error });
  }
}
