/**
 * Accounts for the pages of an LMDB file. A page that is used twice, or that is both used and listed as free, will be
 * overwritten by a later commit; this finds it before that.
 */

/** An entry below 0 in a list of free pages is the length of the run that the next entry begins. */
export function* freeRuns(list: Buffer): Generator<readonly [first: bigint, pages: bigint]> {
  const length = Number(list.readBigInt64LE(0));
  let pages = 1n;
  for (let index = 1; index <= length && (index + 1) * 8 <= list.length; index += 1) {
    const entry = list.readBigInt64LE(index * 8);
    if (entry < 0n) pages = -entry;
    else {
      if (entry > 0n) yield [entry, pages];
      pages = 1n;
    }
  }
}

/** The two meta pages, which no tree refers to. */
export const metaPages = 2n;

export class PageUses {
  private readonly used: Uint8Array;
  private readonly free: Uint8Array;

  constructor(lastPage: bigint) {
    this.used = new Uint8Array(Math.ceil(Number(lastPage + 1n) / 8));
    this.free = new Uint8Array(this.used.length);
  }

  /** Marks pages as used by a tree; all must be within the file. Returns the first one that was marked before. */
  use(first: bigint, pages: bigint): bigint | undefined {
    return this.note(this.used, first, pages);
  }

  /** Marks pages as listed free. Returns the first one that was marked before. */
  offer(first: bigint, pages: bigint): bigint | undefined {
    return this.note(this.free, first, pages);
  }

  /** The first page that is both used and listed as free; undefined where there is none. */
  get contradiction(): bigint | undefined {
    const byte = this.used.findIndex((bits, index) => (bits & this.free[index]!) !== 0);
    if (byte < 0) return undefined;
    const both = this.used[byte]! & this.free[byte]!;
    return BigInt(byte * 8 + Math.log2(both & -both));
  }

  private note(bits: Uint8Array, first: bigint, pages: bigint): bigint | undefined {
    for (let page = Number(first); page < Number(first + pages); page += 1) {
      const mask = 1 << (page & 7);
      if ((bits[page >> 3]! & mask) !== 0) return BigInt(page);
      bits[page >> 3]! |= mask;
    }
    return undefined;
  }
}
