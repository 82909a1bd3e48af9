/** Damage to the file of an LMDB environment that nobody has open. */
import { readFileSync, writeFileSync } from 'node:fs';

export const pageBytes = 4_096;
/** Where a page says of which kind it is, and the bit for leaves. */
const flags = { offset: 18, leaf: 2 } as const;

/** Zeroes the leaf with this key, and what may be left of it from before. */
export function zeroLeafOf(file: string, key: Uint8Array): void {
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; at += pageBytes) {
    const page = bytes.subarray(at, at + pageBytes);
    const isLeaf = (page.readUInt16LE(flags.offset) & flags.leaf) !== 0;
    if (isLeaf && page.includes(Buffer.from(key))) page.fill(0);
  }
  writeFileSync(file, bytes);
}
