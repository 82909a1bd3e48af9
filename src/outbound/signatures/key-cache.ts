/**
 * Parsed keys by their text. Parsing costs five times a verification and half a signature, so a key in use must not be
 * parsed twice. Content-addressed: a changed key has another text, so entries are never outdated.
 */
import type { KeyObject } from 'node:crypto';
import { SizedMap } from '../../runtime/sized-map.ts';

/** About the memory of a parsed key besides its text. */
const parsedKeyBytes = 4_000;

export class KeyCache {
  private readonly parse: (text: string) => KeyObject | undefined;
  private readonly keys: SizedMap<string, KeyObject>;

  constructor(parse: (text: string) => KeyObject | undefined, bytesMax: number) {
    this.parse = parse;
    this.keys = new SizedMap({ bytesMax, bytesOf: (_key, text) => text.length + parsedKeyBytes });
  }

  get bytes(): number {
    return this.keys.bytes;
  }

  get size(): number {
    return this.keys.size;
  }

  /** The key of a text; undefined when the text is not an acceptable key. */
  get(text: string): KeyObject | undefined {
    const cached = this.keys.use(text);
    if (cached !== undefined) return cached;
    const key = this.parse(text);
    if (key !== undefined) this.keys.set(text, key);
    return key;
  }
}
