/**
 * Identifiers: 64 bits = 48-bit millisecond timestamp, 10-bit slot, 6-bit counter (specification 2.1). They are bigints
 * inside, decimal strings outside, and never JavaScript numbers. The slot names the partition that holds the thing, so
 * no index is needed to route a read.
 */
import { hash } from 'node:crypto';
import { nameLimits } from './limits.ts';

export const slotCount = 1024;
const counterBits = 6;
const sequenceBits = 16n;
export const idsPerMillisecond = 64;

export type Id = bigint;

/** Shared for assembling ids: computing with bigints makes one for each step. */
const assembly = new DataView(new ArrayBuffer(8));

export function composeId(milliseconds: number, slot: number, counter: number): Id {
  assembly.setUint32(0, Math.floor(milliseconds / 0x1_0000));
  assembly.setUint16(4, milliseconds % 0x1_0000);
  assembly.setUint16(6, (slot << counterBits) | counter);
  return assembly.getBigUint64(0);
}

export function slotOfId(id: Id): number {
  // Cut off first and shifted as a number: computing with bigints makes one for each step.
  return Number(BigInt.asUintN(16, id)) >> 6;
}

/** The time inside an id, in milliseconds since 1970. */
export function timeOfId(id: Id): number {
  assembly.setBigUint64(0, id);
  return assembly.getUint32(0) * 0x1_0000 + assembly.getUint16(4);
}

/** The smallest id of a millisecond, for paging by time. */
export function firstIdAt(milliseconds: number): Id {
  return BigInt(Math.max(0, milliseconds)) << sequenceBits;
}

const digests = new Map<string, Buffer>();

/**
 * SHA-256 of a name in UTF-8; the buffer is shared and must not be changed. Cached, because a turn hashes the name of
 * its actor many times.
 */
export function digestOfName(name: string): Buffer {
  let digest = digests.get(name);
  if (digest === undefined) {
    digest = hash('sha256', name, 'buffer');
    if (digests.size >= nameLimits.digestsMax) digests.clear();
    if (name.length <= nameLimits.digestedCharactersMax) digests.set(name, digest);
  }
  return digest;
}

/** The slot of an actor that has no id: the first 10 bits of SHA-256 of its key in UTF-8. */
export function slotOfKey(key: string): number {
  const digest = digestOfName(key);
  return (digest[0]! << 2) | (digest[1]! >> 6);
}

/** Parses an id in a path or parameter. Undefined for anything else: the caller answers 404 or 422. */
export function parseId(text: string): Id | undefined {
  if (!/^[0-9]{1,20}$/.test(text)) return undefined;
  const id = BigInt(text);
  return id < 1n << 63n ? id : undefined;
}

/**
 * Generates ids of one slot. A slot has one writer, so nothing has to be coordinated. The 65th id of a millisecond
 * borrows the next millisecond, and while the clock runs backwards ids keep rising; `floor` carries this over a
 * restart.
 */
export class IdGenerator {
  readonly slot: number;
  private millisecond: number;
  private counter = 0;

  constructor(slot: number, floor: number) {
    this.slot = slot;
    this.millisecond = floor;
  }

  /** The millisecond of the newest id; it may be ahead of the clock. */
  get lastMillisecond(): number {
    return this.millisecond;
  }

  next(now: number): Id {
    if (now > this.millisecond) {
      this.millisecond = now;
      this.counter = 0;
    } else if (this.counter === idsPerMillisecond) {
      this.millisecond += 1;
      this.counter = 0;
    }
    const id = composeId(this.millisecond, this.slot, this.counter);
    this.counter += 1;
    return id;
  }
}
