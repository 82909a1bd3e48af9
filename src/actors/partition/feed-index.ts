/**
 * Who of the warm feeds follows whom: followed account to feed numbers, in memory (scanning as many keys in storage takes
 * fifty times as long, measured). Each entry carries what most follows need to decide: whether reblogs are left out, or
 * whether the follow itself has to be looked up.
 */
const hideReblogs = 0x8000_0000;
const lookUp = 0x4000_0000;
const leftOut = 0x2000_0000;
const ofList = 0x1000_0000;
const ringMask = 0x0fff_ffff;

export interface FollowFlags {
  readonly hideReblogs: boolean;
  /** The follow has languages, or had other options before: flags do not say what belongs. */
  readonly lookUp: boolean;
  /** A member of an exclusive list: followed, and not in this home. */
  readonly leftOut?: boolean;
  /** The ring is that of a list, not of a home. */
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
  /** Per ring, how many it follows. */
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

  /** Takes a ring out everywhere. `authors`: whom it follows, as far as is known; others cost a search of all. */
  removeRing(ring: number, authors: Iterable<bigint>): void {
    for (const authorId of authors) this.remove(authorId, ring);
    if (this.follows[ring] === 0) return;
    for (const authorId of [...this.lists.keys()]) this.remove(authorId, ring);
  }

  /** The entries of those who follow an account, as they are now; read with the functions below. */
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
