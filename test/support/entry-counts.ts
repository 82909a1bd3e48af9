/** Counts stored entries, for tests that expect storage to be as before without knowing keyspaces. */
import { keyspaces } from '../../src/actors/catalogue.ts';
import type { TestServer } from './actors.ts';

const firstKey = Uint8Array.of(0);
const afterLastKey = Uint8Array.of(0xff, 0xff, 0xff);

/** Entries over all partitions by the names of their keyspaces; those without any, and the machine's own, are left out. */
export function entryCounts({ disks }: Pick<TestServer, 'disks'>): Readonly<Record<string, number>> {
  const counts = new Map<number, number>();
  // After the two bytes of the slot.
  for (const disk of disks)
    for (const { key } of disk.range({ start: firstKey, end: afterLastKey }))
      counts.set(key[2]!, (counts.get(key[2]!) ?? 0) + 1);
  return Object.fromEntries(
    keyspaces.flatMap(({ number, name }) => {
      const count = counts.get(number);
      return count === undefined ? [] : [[name, count] as const];
    }),
  );
}
