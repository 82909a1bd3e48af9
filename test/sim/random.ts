/** Random numbers from a seed: small, quick, the same on every machine. Not for secrets. */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not begin alike.
    this.state = Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) >>> 0;
    for (let warmUp = 0; warmUp < 4; warmUp += 1) this.bits();
  }

  /** 32 random bits (mulberry32). */
  bits(): number {
    this.state = (this.state + 0x6d2b_79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A whole number from 0 up to, but without, `bound`. */
  below(bound: number): number {
    return Math.floor((this.bits() / 0x1_0000_0000) * bound);
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.bits() < probability * 0x1_0000_0000;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.bits() & 0xff);
  }

  /** A source of its own, so that one part's use of chance does not change another's. */
  fork(): SeededRandom {
    return new SeededRandom(this.bits());
  }
}
