/**
 * Counters in shared memory, one per (key, window), that all gateway threads change concurrently. An open-addressed
 * table of fixed size: a key uses one of a few neighbouring slots; a slot whose window is over is taken by the next key
 * that needs one, and if there is none the smallest count is replaced, so that the most active keys are never
 * forgotten.
 *
 * 1. A slot is two 32-bit words: the key's fingerprint (0 = never used), and window end and count in one word, so that
 *    one compare-and-exchange changes both.
 * 2. Slots are never emptied, so a search may stop at the first unused one.
 * 3. Two threads that take the same slot at the same instant may miscount by a few; nothing else can go wrong.
 *
 * Times are counted in units chosen by the caller; window ends are kept modulo 65 536 units.
 */
import { httpLimits } from './limits.ts';

const wordsPerSlot = 2;
const countMask = 0xffff;

export function allocateCounters(slots: number = httpLimits.rateLimitSlots): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * wordsPerSlot * Int32Array.BYTES_PER_ELEMENT);
}

export class CounterTable {
  private readonly words: Int32Array;
  private readonly slotMask: number;

  /** `memory` comes from `allocateCounters` with a power of two of slots. */
  constructor(memory: SharedArrayBuffer) {
    this.words = new Int32Array(memory);
    const slots = this.words.length / wordsPerSlot;
    if (!Number.isInteger(Math.log2(slots))) throw new Error(`${slots} slots are no power of two`);
    this.slotMask = slots - 1;
  }

  /** Counts one and returns the count of this window, at most 65 535. `position` and `fingerprint` are hashes. */
  add(position: number, fingerprint: number, now: number, windowEnd: number): number {
    const slot = this.claim(position, fingerprint || 1, now);
    if (slot === -1) return 1;
    const end = windowEnd & countMask;
    for (let attempt = 0; attempt < httpLimits.rateLimitAttempts; attempt += 1) {
      const packed = Atomics.load(this.words, slot + 1);
      const count = packed >>> 16 === end ? Math.min((packed & countMask) + 1, countMask) : 1;
      if (Atomics.compareExchange(this.words, slot + 1, packed, (end << 16) | count) === packed) return count;
    }
    return 1;
  }

  /** The count of a key in its window, without counting. */
  read(position: number, fingerprint: number, windowEnd: number): number {
    const wanted = fingerprint || 1;
    for (let probe = 0; probe < httpLimits.rateLimitProbes; probe += 1) {
      const slot = ((position + probe) & this.slotMask) * wordsPerSlot;
      const present = Atomics.load(this.words, slot);
      if (present === 0) return 0;
      if (present !== wanted) continue;
      const packed = Atomics.load(this.words, slot + 1);
      return packed >>> 16 === (windowEnd & countMask) ? packed & countMask : 0;
    }
    return 0;
  }

  /** The slot of a key, taken if necessary; -1 when another thread was faster. */
  private claim(position: number, fingerprint: number, now: number): number {
    let victim = -1;
    let victimCount = Number.POSITIVE_INFINITY;
    for (let probe = 0; probe < httpLimits.rateLimitProbes; probe += 1) {
      const slot = ((position + probe) & this.slotMask) * wordsPerSlot;
      let present = Atomics.load(this.words, slot);
      if (present === 0) {
        present = Atomics.compareExchange(this.words, slot, 0, fingerprint);
        if (present === 0) return slot;
      }
      if (present === fingerprint) return slot;
      const count = this.liveCount(slot, now);
      if (count < victimCount) {
        victim = slot;
        victimCount = count;
      }
    }
    return this.takeOver(victim, fingerprint);
  }

  private liveCount(slot: number, now: number): number {
    const packed = Atomics.load(this.words, slot + 1);
    // The difference of two 16-bit times, with its sign: zero or less means that the window is over.
    const unitsLeft = (((packed >>> 16) - now) << 16) >> 16;
    return unitsLeft > 0 ? packed & countMask : 0;
  }

  private takeOver(slot: number, fingerprint: number): number {
    const present = Atomics.load(this.words, slot);
    const packed = Atomics.load(this.words, slot + 1);
    if (Atomics.compareExchange(this.words, slot, present, fingerprint) !== present) return -1;
    Atomics.compareExchange(this.words, slot + 1, packed, 0);
    return slot;
  }
}
