/**
 * A cache bounded in bytes: two generations, the older dropped whole when the younger is full. What is used moves to the
 * younger, so what is used often stays, at the cost of one map look-up.
 */
export class ByteCache<Key, Value extends { readonly bytes: number }> {
  private readonly generationBytesMax: number;
  private young = new Map<Key, Value>();
  private old = new Map<Key, Value>();
  private youngBytes = 0;

  constructor(bytesMax: number) {
    this.generationBytesMax = bytesMax / 2;
  }

  get(key: Key): Value | undefined {
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const old = this.old.get(key);
    if (old === undefined) return undefined;
    this.old.delete(key);
    this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    if (this.youngBytes + value.bytes > this.generationBytesMax) {
      this.old = this.young;
      this.young = new Map();
      this.youngBytes = 0;
    }
    this.young.set(key, value);
    this.youngBytes += value.bytes;
  }

  delete(key: Key): void {
    const young = this.young.get(key);
    if (young !== undefined) {
      this.young.delete(key);
      this.youngBytes -= young.bytes;
    }
    this.old.delete(key);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
    this.youngBytes = 0;
  }
}
