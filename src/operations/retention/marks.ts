/**
 * A set of ids in little memory, however many there are: a Bloom filter. It may hold an id that was never added, so that a
 * status is kept for nothing; each run draws another seed, so that it goes with a later one. It never lacks an id.
 */
import type { Id } from '../../runtime/ids.ts';

const bytesDefault = 4_000_000;
/** Bits of each id. With four, one id in a hundred is held for nothing where eight bits of the memory are there for each. */
const bitsPerId = 4;

export class Marks {
  private readonly bits: Uint8Array;
  private readonly seed: number;

  constructor(seed: number, bytes = bytesDefault) {
    this.bits = new Uint8Array(bytes);
    this.seed = seed;
  }

  add(id: Id): void {
    for (const place of this.places(id)) this.bits[place >>> 3]! |= 1 << (place & 7);
  }

  has(id: Id): boolean {
    return this.places(id).every((place) => (this.bits[place >>> 3]! & (1 << (place & 7))) !== 0);
  }

  /** Two digests of the id, and sums of them. */
  private places(id: Id): number[] {
    const [high, low] = [Number(id >> 32n), Number(BigInt.asUintN(32, id))];
    const first = mixed(low ^ mixed(high ^ this.seed));
    const step = mixed(first ^ high) | 1;
    const bits = this.bits.length * 8;
    return Array.from({ length: bitsPerId }, (_, number) => ((first + Math.imul(step, number)) >>> 0) % bits);
  }
}

/** Spreads the bits of a number over all 32 (the last step of MurmurHash3). */
function mixed(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
