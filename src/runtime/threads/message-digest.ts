/**
 * A number for a message: equal for equal messages, and almost never equal for different ones. Quick enough for every
 * turn; of long texts and large bodies it takes the beginning and the length.
 */
import type { Envelope } from '../contract.ts';

const charactersMax = 24;
const bytesMax = 32;
const entriesMax = 16;
const depthMax = 2;
const lowBits = 0x1_0000_0000;
/** Both halves together are a whole number that JavaScript holds exactly. */
const highMask = 0x1f_ffff;
const mask32 = 0xffff_ffffn;

let high = 0;
let low = 0;

export function digestOf({ kind, key, message, body }: Envelope): number {
  high = 0x9e37_79b1;
  low = 0x85eb_ca6b;
  mix(kind);
  mix(message);
  mixValue(key, 0);
  mixValue(body, 0);
  return ((high ^ (low >>> 15)) & highMask) * lowBits + ((low ^ (high >>> 13)) >>> 0);
}

/** Two hashes with different multipliers, each after the manner of FNV. */
function mix(word: number): void {
  high = Math.imul(high ^ word, 0x0100_0193);
  low = Math.imul(low ^ word, 0x27d4_eb2f) ^ (low >>> 15);
}

function mixValue(value: unknown, depth: number): void {
  switch (typeof value) {
    case 'string':
      mixText(value);
      return;
    case 'bigint':
      mix(Number(value & mask32));
      mix(Number((value >> 32n) & mask32));
      return;
    case 'number':
      mix(value | 0);
      mix((value / lowBits) | 0);
      return;
    case 'object':
      if (value !== null && depth < depthMax) mixObject(value, depth);
      else mix(3);
      return;
    default:
      mix(value === undefined ? 1 : value === true ? 5 : 7);
  }
}

function mixText(text: string): void {
  mix(text.length);
  const length = Math.min(text.length, charactersMax);
  for (let index = 0; index < length; index += 1) mix(text.charCodeAt(index));
}

function mixObject(value: object, depth: number): void {
  if (value instanceof Uint8Array) {
    mix(value.length);
    for (let index = 0; index < value.length && index < bytesMax; index += 1) mix(value[index]!);
  } else if (Array.isArray(value)) {
    mix(value.length);
    for (let index = 0; index < value.length && index < entriesMax; index += 1) mixValue(value[index], depth + 1);
  } else {
    // One that was stored and read again has the same keys in the same order; absent and undefined are the same.
    let entries = 0;
    for (const name in value) {
      const entry = (value as Record<string, unknown>)[name];
      if (entry === undefined) continue;
      mixText(name);
      mixValue(entry, depth + 1);
      entries += 1;
      if (entries === entriesMax) return;
    }
  }
}
