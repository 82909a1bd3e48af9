/**
 * A layer of writes that are not yet in the snapshot: those of one turn, of the filling batch, or of the batch in
 * flight. A turn reads its own layer first, then the older ones, then the snapshot.
 *
 * INVARIANT a layer knows, per scope (keyspace and leading key parts), its keys in byte order and its tombstones, so
 * that a merged range never shows a key that a newer layer deleted.
 */

/** A value of undefined is a tombstone. */
export type LayerValue = Uint8Array | undefined;

interface Scope {
  keys: string[];
  sorted: boolean;
}

export class Layer {
  readonly entries = new Map<string, LayerValue>();
  private readonly scopes = new Map<string, Scope>();
  bytes = 0;

  get size(): number {
    return this.entries.size;
  }

  set(key: string, scopeBytes: number, value: LayerValue): void {
    if (!this.entries.has(key)) {
      const scopeKey = key.slice(0, scopeBytes);
      const scope = this.scopes.get(scopeKey);
      if (scope === undefined) this.scopes.set(scopeKey, { keys: [key], sorted: true });
      else {
        scope.sorted = scope.sorted && scope.keys[scope.keys.length - 1]! < key;
        scope.keys.push(key);
      }
    }
    this.entries.set(key, value);
    this.bytes += key.length + (value?.byteLength ?? 0);
  }

  /** Takes over a newer layer's writes. */
  absorb(newer: Layer): void {
    for (const [scopeKey, scope] of newer.scopes) {
      for (const key of scope.keys) this.set(key, scopeKey.length, newer.entries.get(key));
    }
  }

  /** The keys of a scope in byte order; shared, not to be changed. */
  sortedKeys(scopeKey: string): readonly string[] {
    const scope = this.scopes.get(scopeKey);
    if (scope === undefined) return [];
    if (!scope.sorted) {
      // A fresh array: a range that is still open goes on over the one it began with.
      scope.keys = scope.keys.toSorted();
      scope.sorted = true;
    }
    return scope.keys;
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
