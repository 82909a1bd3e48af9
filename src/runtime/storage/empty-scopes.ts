/**
 * Scopes of sparse keyspaces that are known to be empty. An actor is asked about in most of them together (blocks, mutes,
 * policies), so what is known of one actor is one entry: a bit for each keyspace. Entries have two generations: the older
 * one is dropped as a whole when the younger is full, so that actors in frequent use stay.
 */
import { partitionLimits } from '../limits.ts';
import { numberOfKeyspace } from './keyspace.ts';

/** With more of them the number would not be a small integer, and V8 would allocate it by itself. */
const bitsPerEntry = 30;

/** What `EmptyScopes` needs of a keyspace. */
export interface SparseKeyspace {
  readonly number: number;
  readonly scopeBytes: number;
}

/**
 * What an entry leaves out of a key: the slot, which follows from the first part, and the number of the keyspace, for which
 * there is the bit.
 */
const headerBytes = 3;

/** Keys are strings with a character for each byte. */
const greatestByte = 0xff;

export class EmptyScopes {
  private readonly generationMax: number;
  /** By scope, without the keyspace: its known empty keyspaces. */
  private young = new Map<string, number>();
  private old = new Map<string, number>();
  /** By number of keyspace: its place among the bits, in the order in which keyspaces were first asked about. */
  private readonly places: (number | undefined)[] = [];
  private readonly scopeBytes: number[] = [];
  private placeCount = 0;

  constructor(bytesMax: number) {
    this.generationMax = Math.floor(bytesMax / partitionLimits.emptyScopesOfActorBytes / 2);
  }

  /** Whether nothing is in the scope of this key. */
  has(space: SparseKeyspace, key: string): boolean {
    const place = this.places[space.number];
    return place !== undefined && (this.bitsOf(entryOf(key, space.scopeBytes, place)) & bitOf(place)) !== 0;
  }

  add(space: SparseKeyspace, key: string): void {
    const place = this.places[space.number] ?? this.newPlace(space);
    // A second declaration of a keyspace may have other scopes: `written` would not find what is known of them.
    if (space.scopeBytes !== this.scopeBytes[space.number]) return;
    const entry = entryOf(key, space.scopeBytes, place);
    const bits = this.bitsOf(entry);
    if (bits === 0) this.makeRoom();
    this.young.set(entry, bits | bitOf(place));
  }

  /** A value with this key was written: its scope may not be empty any more. */
  written(key: string): void {
    const number = numberOfKeyspace(key);
    const place = this.places[number];
    if (place === undefined) return;
    const entry = entryOf(key, this.scopeBytes[number]!, place);
    const bits = this.bitsOf(entry);
    if (bits !== 0) this.young.set(entry, bits & ~bitOf(place));
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }

  /** The bit of a keyspace in the entry of its scope (`bitsOf`); 0 where it has none yet, or is in a further entry. */
  bitIn({ number }: Pick<SparseKeyspace, 'number'>): number {
    const place = this.places[number];
    return place === undefined || place >= bitsPerEntry ? 0 : bitOf(place);
  }

  /**
   * The keyspaces that are known to have nothing in a scope, as bits. `entry`: the scope as in a key, without its header.
   * An entry of the older generation that is used moves to the younger.
   */
  bitsOf(entry: string): number {
    const young = this.young.get(entry);
    if (young !== undefined) return young;
    const old = this.old.get(entry);
    if (old === undefined) return 0;
    this.old.delete(entry);
    this.makeRoom();
    this.young.set(entry, old);
    return old;
  }

  private makeRoom(): void {
    if (this.young.size < this.generationMax) return;
    this.old = this.young;
    this.young = new Map();
  }

  private newPlace({ number, scopeBytes }: SparseKeyspace): number {
    const place = this.placeCount;
    this.placeCount += 1;
    this.places[number] = place;
    this.scopeBytes[number] = scopeBytes;
    return place;
  }
}

/** A scope has a further entry for every so many keyspaces, marked by a character that no key contains. */
function entryOf(key: string, scopeBytes: number, place: number): string {
  const scope = key.slice(headerBytes, scopeBytes);
  return place < bitsPerEntry ? scope : scope + String.fromCharCode(greatestByte + Math.floor(place / bitsPerEntry));
}

function bitOf(place: number): number {
  return 1 << (place % bitsPerEntry);
}
