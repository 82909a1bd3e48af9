/**
 * The follows of accounts with warm feeds, in memory: followed account to ring numbers (scanning as many keys in
 * storage is fifty times slower, measured). Each entry holds what most decisions need: whether reblogs are hidden, or
 * whether the follow itself must be read.
 */
const hideReblogs = 0x8000_0000;
const lookUp = 0x4000_0000;
const leftOut = 0x2000_0000;
const ofList = 0x1000_0000;
const ringMask = 0x0fff_ffff;

export interface FollowFlags {
  readonly hideReblogs: boolean;
  /** The follow has languages, or had other options before: the flags are not enough to decide. */
  readonly lookUp: boolean;
  /** A member of an exclusive list: followed, but not in this home. */
  readonly leftOut?: boolean;
  /** The ring belongs to a list, not to a home. */
  readonly ofList?: boolean;
}

class RingList {
  entries = new Uint32Array(4);
  count = 0;

  add(entry: number): void {
    if (this.count === this.entries.length) {
      const larger = new Uint32Array(this.entries.length * 2);
      larger.set(this.entries);
      this.entries = larger;
    }
    this.entries[this.count] = entry;
    this.count += 1;
  }

  remove(ring: number): boolean {
    for (let index = 0; index < this.count; index += 1) {
      if ((this.entries[index]! & ringMask) !== ring) continue;
      this.count -= 1;
      this.entries[index] = this.entries[this.count]!;
      return true;
    }
    return false;
  }
}

export class FeedIndex {
  private readonly lists = new Map<bigint, RingList>();
  /** How many accounts each ring follows. */
  private readonly follows: Uint32Array;

  constructor(rings: number) {
    this.follows = new Uint32Array(rings);
  }

  clear(): void {
    this.lists.clear();
    this.follows.fill(0);
  }

  add(authorId: bigint, ring: number, flags: FollowFlags): void {
    let list = this.lists.get(authorId);
    if (list === undefined) {
      list = new RingList();
      this.lists.set(authorId, list);
    }
    list.add((ring | bitsOf(flags)) >>> 0);
    this.follows[ring]! += 1;
  }

  remove(authorId: bigint, ring: number): void {
    const list = this.lists.get(authorId);
    if (list === undefined || !list.remove(ring)) return;
    this.follows[ring]! -= 1;
    if (list.count === 0) this.lists.delete(authorId);
  }

  /**
   * Removes a ring from all entries. `authors`: whom it follows, as far as known; others need a search of everything.
   */
  removeRing(ring: number, authors: Iterable<bigint>): void {
    for (const authorId of authors) this.remove(authorId, ring);
    if (this.follows[ring] === 0) return;
    for (const authorId of [...this.lists.keys()]) this.remove(authorId, ring);
  }

  /** The entries of those who follow an account; read them with the functions below. */
  followersOf(authorId: bigint): Uint32Array {
    const list = this.lists.get(authorId);
    return list === undefined ? noEntries : list.entries.subarray(0, list.count);
  }
}

function bitsOf(flags: FollowFlags): number {
  const home = (flags.hideReblogs ? hideReblogs : 0) | (flags.lookUp ? lookUp : 0);
  return home | (flags.leftOut ? leftOut : 0) | (flags.ofList ? ofList : 0);
}

const noEntries = new Uint32Array(0);

export function ringOf(entry: number): number {
  return entry & ringMask;
}

export function hidesReblogs(entry: number): boolean {
  return (entry & hideReblogs) !== 0;
}

export function isLeftOut(entry: number): boolean {
  return (entry & leftOut) !== 0;
}

export function isOfList(entry: number): boolean {
  return (entry & ofList) !== 0;
}

export function needsLookUp(entry: number): boolean {
  return (entry & lookUp) !== 0;
}
