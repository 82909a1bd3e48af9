/** What changed between formats of stored data, beyond what the declarations read by themselves. Append only. */
import { pack, unpack } from '../../runtime/codec.ts';
import type { Migration } from '../../runtime/storage/migration.ts';

export const migrations: readonly Migration[] = [
  {
    // Cursors of channels were the sequence alone; now they have the epoch and the digest of the frame as well.
    format: 3,
    keyspaces: [3],
    change({ key, value }) {
      const stored = unpack(value);
      return typeof stored === 'number'
        ? { keys: [key], values: [pack([stored, 0, undefined])] }
        : { keys: [], values: [] };
    },
  },
];
