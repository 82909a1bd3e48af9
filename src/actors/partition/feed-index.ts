/**
 * Who of the warm feeds follows whom: followed account to feed numbers, in memory (scanning as many keys in storage takes
 * fifty times as long, measured). Each entry carries what most follows need to decide: whether reblogs are left out, and
 * whether the follow has languages, which are then looked up.
 */
const hideReblogs = 0x8000_0000;
const hasLanguages = 0x4000_0000;
const ringMask = 0x3fff_ffff;

export interface FollowFlags {
  readonly hideReblogs: boolean;
  readonly hasLanguages: boolean;
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

  remove(ring: number): void {
    for (let index = 0; index < this.count; index += 1) {
      if ((this.entries[index]! & ringMask) !== ring) continue;
      this.count -= 1;
      this.entries[index] = this.entries[this.count]!;
      return;
    }
  }
}

export class FeedIndex {
  private readonly lists = new Map<bigint, RingList>();

  clear(): void {
    this.lists.clear();
  }

  add(authorId: bigint, ring: number, flags: FollowFlags): void {
    let list = this.lists.get(authorId);
    if (list === undefined) {
      list = new RingList();
      this.lists.set(authorId, list);
    }
    list.add((ring | (flags.hideReblogs ? hideReblogs : 0) | (flags.hasLanguages ? hasLanguages : 0)) >>> 0);
  }

  remove(authorId: bigint, ring: number): void {
    const list = this.lists.get(authorId);
    if (list === undefined) return;
    list.remove(ring);
    if (list.count === 0) this.lists.delete(authorId);
  }

  /** The entries of those who follow an account, as they are now; read with `ringOf` and `flagsOf`. */
  followersOf(authorId: bigint): Uint32Array {
    const list = this.lists.get(authorId);
    return list === undefined ? noEntries : list.entries.subarray(0, list.count);
  }
}

const noEntries = new Uint32Array(0);

export function ringOf(entry: number): number {
  return entry & ringMask;
}

export function hidesReblogs(entry: number): boolean {
  return (entry & hideReblogs) !== 0;
}

export function wantsLanguages(entry: number): boolean {
  return (entry & hasLanguages) !== 0;
}
