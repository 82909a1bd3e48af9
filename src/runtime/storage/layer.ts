/**
 * A layer of writes that are not in the snapshot yet: those of one turn, of the filling batch, or of a batch under way.
 * A turn reads its own layer first, then older ones, then the snapshot.
 *
 * INVARIANT a layer knows the keys and tombstones of each scope (keyspace and leading key parts) in byte order, so that
 * a merged range never shows a key that a newer layer deleted.
 */
import { isSparse, numberOfKeyspace } from './keyspace.ts';

/** A value of undefined is a tombstone. */
export type LayerValue = Uint8Array | undefined;

interface Scope {
  keys: string[];
  sorted: boolean;
}

export class Layer {
  readonly entries = new Map<string, LayerValue>();
  bytes = 0;
  /** False only where no key is deleted: most layers delete nothing, and need not be asked twice for a key. */
  hasTombstones = false;
  /** Whether a value of a sparse keyspace was written. */
  hasSparseValues = false;
  /** How many writes were made. */
  changes = 0;
  /** The keys in the order of writing, with the length of each one's scope. */
  private readonly keys: string[] = [];
  private readonly scopeLengths: number[] = [];
  /** Built when the first range asks for it, which most turns never do; the first `indexed` keys are in it. */
  private scopes: Map<string, Scope> | undefined;
  private indexed = 0;

  get size(): number {
    return this.keys.length;
  }

  set(key: string, scopeBytes: number, value: LayerValue): void {
    this.entries.set(key, value);
    if (value === undefined) this.hasTombstones = true;
    else if (isSparse(numberOfKeyspace(key))) this.hasSparseValues = true;
    this.changes += 1;
    this.bytes += key.length + (value?.byteLength ?? 0);
    if (this.entries.size === this.keys.length) return;
    this.keys.push(key);
    this.scopeLengths.push(scopeBytes);
  }

  /** Takes over the writes of a newer layer. */
  absorb(newer: Layer): void {
    const { keys, scopeLengths, entries } = newer;
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index]!;
      this.set(key, scopeLengths[index]!, entries.get(key));
    }
  }

  /** The keys of a scope in byte order; the array is shared and must not be changed. */
  sortedKeys(scopeKey: string): readonly string[] {
    const scope = this.index().get(scopeKey);
    if (scope === undefined) return [];
    if (!scope.sorted) {
      // A new array: an open range continues over the old one.
      scope.keys = scope.keys.toSorted();
      scope.sorted = true;
    }
    return scope.keys;
  }

  private index(): Map<string, Scope> {
    this.scopes ??= new Map();
    for (; this.indexed < this.keys.length; this.indexed += 1) {
      const key = this.keys[this.indexed]!;
      const scopeKey = key.slice(0, this.scopeLengths[this.indexed]!);
      const scope = this.scopes.get(scopeKey);
      if (scope === undefined) this.scopes.set(scopeKey, { keys: [key], sorted: true });
      else {
        scope.sorted = scope.sorted && scope.keys[scope.keys.length - 1]! < key;
        scope.keys.push(key);
      }
    }
    return this.scopes;
  }
}

/** Position of the first key that is not below `key`. */
export function lowerBound(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
