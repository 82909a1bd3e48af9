/**
 * What a stream stores: batches of one partition as a chain. Each record names the digest of the one before it, so that
 * two copies of a stream agree on everything below a record on which they agree.
 */
import { createHash } from 'node:crypto';
import { pack, unpack } from '../codec.ts';
import type { LogBatch } from '../storage/log.ts';

/**
 * - batch: of a partition. What a new partition begins with comes as such too.
 * - barrier: an owner begins, or begins anew; whatever was sent before and has not arrived is void.
 * - state: a piece of the state of a partition that was there before the stream.
 */
export type RecordKind = 'batch' | 'barrier' | 'state';

export interface StreamRecord {
  readonly kind: RecordKind;
  readonly epoch: number;
  /** Of one opening of the log; random. */
  readonly writer: string;
  /** Counts the records of this writer. */
  readonly number: number;
  /** The position of the log with this batch. */
  readonly position: number;
  /** The digest of the record before it; empty for the first. */
  readonly previous: Uint8Array;
  /** A batch that is too large for one message has several records, of which the last commits it. */
  readonly part: number;
  readonly parts: number;
  readonly body: Uint8Array;
}

const digestBytes = 16;
/** Of the record before the first. */
export const noDigest = new Uint8Array(0);
const format = 1;
const kinds: readonly RecordKind[] = ['batch', 'barrier', 'state'];

export class UnreadableRecord extends Error {}

/** This is no damage: whoever does not understand it leaves it alone. */
export class NewerRecord extends Error {}

export function encodeRecord(record: StreamRecord): Uint8Array {
  const { kind, epoch, writer, number, position, previous, part, parts, body } = record;
  return pack([format, kinds.indexOf(kind), epoch, writer, number, position, previous, part, parts, body]);
}

/** Throws UnreadableRecord, and NewerRecord. */
export function decodeRecord(bytes: Uint8Array): StreamRecord {
  const fields = unpacked(bytes);
  if (!Array.isArray(fields)) throw new UnreadableRecord('it is no record of a log');
  const [version, kindNumber, epoch, writer, number, position, previous, part, parts, body] = fields as unknown[];
  if (typeof version === 'number' && version > format)
    throw new NewerRecord('A newer version of this server has written it: start that version, or a newer one.');
  const kind = kinds[Number(kindNumber)];
  const areNumbers = [epoch, number, position, part, parts].every((field) => Number.isSafeInteger(field));
  const areBytes = previous instanceof Uint8Array && body instanceof Uint8Array;
  if (version !== format || kind === undefined || typeof writer !== 'string' || !areNumbers || !areBytes)
    throw new UnreadableRecord('it is no record of a log');
  return { kind, writer, previous, body, ...numbersOf({ epoch, number, position, part, parts }) };
}

function numbersOf<Name extends string>(fields: Record<Name, unknown>): Record<Name, number> {
  return fields as Record<Name, number>;
}

function unpacked(bytes: Uint8Array): unknown {
  try {
    return unpack(bytes);
  } catch (cause) {
    throw new UnreadableRecord('it cannot be decoded', { cause });
  }
}

export function digestOf(record: Uint8Array): Uint8Array {
  return createHash('sha256').update(record).digest().subarray(0, digestBytes);
}

export function areSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

export function encodeBatch({ keys, values }: LogBatch): Uint8Array {
  return pack([keys, values.map((value) => value ?? null)]);
}

/** Throws UnreadableRecord. */
export function decodeBatch(body: Uint8Array): LogBatch {
  const fields = unpacked(body);
  if (!Array.isArray(fields) || !Array.isArray(fields[0]) || !Array.isArray(fields[1]))
    throw new UnreadableRecord('its batch cannot be decoded');
  const [keys, values] = fields as [Uint8Array[], (Uint8Array | null)[]];
  return { keys, values: values.map((value) => value ?? undefined) };
}
