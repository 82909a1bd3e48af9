/**
 * The record of a frame: the bytes that are stored in the outbox and sent over a channel.
 *
 *   mark (1) · epoch (6) · digest of the frame before (6) · bytes of the channel so far (6) · packed messages
 *
 * INVARIANT frames of a channel are a chain: each names the digest of the one before it, and epochs never go back. A
 * partition that was restored from an older copy cannot go on with the chain that its peers have seen.
 */
import { hash } from 'node:crypto';
import { packArray, unpack } from '../codec.ts';
import { countedEpoch } from '../storage/machine.ts';

export interface FrameHeader {
  /** The epoch in which it was written. */
  readonly epoch: number;
  /** Digest of the previous frame; `noDigest` for the first. */
  readonly previous: number;
  /** Bytes of all records of the channel up to and including this one. */
  readonly channelBytes: number;
}

/** MessagePack never begins with this byte: records of earlier versions begin with their messages. */
const mark = 0xc1;
const numberBytes = 6;
const headerBytes = 1 + 3 * numberBytes;

/** The digest that stands for "no previous frame". */
export const noDigest = 0;

/** `channelBytesBefore`: bytes of all earlier records of the channel. */
export function frameRecord(
  { epoch, previous }: Pick<FrameHeader, 'epoch' | 'previous'>,
  channelBytesBefore: number,
  messages: readonly Uint8Array[],
): Uint8Array {
  const header = Buffer.alloc(headerBytes);
  const record = packArray(messages, header);
  const view = Buffer.from(record.buffer, record.byteOffset, headerBytes);
  view[0] = mark;
  view.writeUIntBE(epoch, 1, numberBytes);
  view.writeUIntBE(previous, 1 + numberBytes, numberBytes);
  view.writeUIntBE(channelBytesBefore + record.byteLength, 1 + 2 * numberBytes, numberBytes);
  return record;
}

/** Undefined for a record of an earlier version. Of a damaged record it may be anything. */
export function headerOfFrame(record: Uint8Array): FrameHeader | undefined {
  if (record[0] !== mark || record.byteLength < headerBytes) return undefined;
  const view = Buffer.from(record.buffer, record.byteOffset, headerBytes);
  return {
    epoch: countedEpoch(view.readUIntBE(1, numberBytes)),
    previous: view.readUIntBE(1 + numberBytes, numberBytes),
    channelBytes: view.readUIntBE(1 + 2 * numberBytes, numberBytes),
  };
}

/** The messages of a record, one at least. Throws for a record that cannot be decoded. */
export function messagesOfFrame(record: Uint8Array): readonly unknown[] {
  const messages = unpack(record[0] === mark ? record.subarray(headerBytes) : record);
  if (!Array.isArray(messages) || messages.length === 0) throw new Error('it is not a list of messages');
  return messages;
}

/** False for a record that cannot be decoded: it tells nothing of the frame that was sent. */
export function isReadable(record: Uint8Array): boolean {
  try {
    messagesOfFrame(record);
    return true;
  } catch {
    return false;
  }
}

/** 48 bits, so that it is an exact JavaScript number. */
export function digestOfFrame(record: Uint8Array): number {
  return hash('sha256', record, 'buffer').readUIntBE(0, numberBytes);
}

/** The digest that a record had when it was written: the record behind it says so, even if this one was damaged since. */
export function digestAsWritten(record: Uint8Array, next: Uint8Array | undefined): number {
  return (next === undefined ? undefined : headerOfFrame(next)?.previous) ?? digestOfFrame(record);
}

/** Whether a readable record differs from the frame that was taken with this digest. `next`: the record behind it. */
export function isAnotherFrame(record: Uint8Array, next: Uint8Array | undefined, digest: number): boolean {
  if (!isReadable(record) || digestOfFrame(record) === digest) return false;
  return digestAsWritten(record, next) !== digest;
}
