/**
 * Records that cannot be decoded, because the disk, a restore or another version damaged them. One such record must not
 * stop a partition: it becomes a dead letter that holds its bytes and names where it was.
 */
import { type Codec, unpack } from '../codec.ts';
import type { ReplyHandle, StoredMessage } from '../storage/machine.ts';

/** No actor has this kind: the key of such a letter is the record's place, its body the bytes. */
export const noKind = 0;

export function letterOfRecord(place: string, bytes: Uint8Array): StoredMessage {
  return [noKind, place, 0, bytes, 'system'];
}

/** Of a record without which its partition does not work. */
export function hasUndecodable({ name }: { readonly name: string }): string {
  return `has a record of "${name}" that cannot be decoded`;
}

/** Throws for bytes that are not such a record. */
export function decodeRecord<Value>({ value: { schema, decode } }: { value: Codec<Value> }, bytes: Uint8Array): Value {
  const value = decode(bytes);
  schema?.parse(value);
  return value;
}

/** Throws for bytes that are not a message. */
export function decodeMessage(bytes: Uint8Array): StoredMessage {
  const value = unpack(bytes);
  if (!isMessage(value)) throw new Error('it is not a message');
  return value;
}

export function isMessage(value: unknown): value is StoredMessage {
  if (!Array.isArray(value)) return false;
  const [kind, key, message, , flow, replyTo, cause] = value as unknown[];
  const isAddressed = typeof kind === 'number' && (typeof key === 'bigint' || typeof key === 'string');
  if (!isAddressed || typeof message !== 'number' || typeof flow !== 'string') return false;
  return (replyTo === undefined || isHandle(replyTo)) && (cause === undefined || typeof cause === 'string');
}

function isHandle(value: unknown): value is ReplyHandle {
  if (!Array.isArray(value)) return false;
  const [boot, thread, call, invalidates, ...rest] = value as unknown[];
  const isOfCall = [boot, thread, call].every((part) => typeof part === 'number');
  return isOfCall && (invalidates === undefined || typeof invalidates === 'boolean') && rest.length === 0;
}
