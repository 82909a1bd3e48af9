/**
 * Parsed keys by their text. Parsing costs five times a verification and half a signature, so a key that is in use must
 * not be parsed twice. Content-addressed: a changed key is another text, so an entry never goes stale.
 */
import type { KeyObject } from 'node:crypto';

export class KeyCache {
  private readonly parse: (text: string) => KeyObject | undefined;
  private readonly entriesMax: number;
  /** In the order of last use, oldest first. */
  private readonly entries = new Map<string, KeyObject>();

  constructor(parse: (text: string) => KeyObject | undefined, entriesMax: number) {
    this.parse = parse;
    this.entriesMax = entriesMax;
  }

  get size(): number {
    return this.entries.size;
  }

  /** The key of a text; undefined when the text is not an acceptable key. */
  get(text: string): KeyObject | undefined {
    const cached = this.entries.get(text);
    if (cached !== undefined) {
      this.entries.delete(text);
      this.entries.set(text, cached);
      return cached;
    }
    const key = this.parse(text);
    if (key === undefined) return undefined;
    if (this.entries.size >= this.entriesMax) this.entries.delete(this.entries.keys().next().value!);
    this.entries.set(text, key);
    return key;
  }
}
