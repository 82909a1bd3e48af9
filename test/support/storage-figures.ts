/** What the measuring of a small folder tells. */
import type { StorageFigures } from '../../src/services/storage.ts';

export const storageFigures: StorageFigures = {
  at: Date.UTC(2025, 0, 1, 11, 30),
  database: {
    bytes: 20_000_000,
    freeBytes: 1_000_000,
    kinds: [
      { kind: 'ownPosts', entries: 500, bytes: 600_000 },
      { kind: 'otherPosts', entries: 7_000, bytes: 9_500_000 },
    ],
  },
  files: [
    { place: 'ownMedia', files: 20, bytes: 4_000_000 },
    { place: 'mails', files: 0, bytes: 0 },
  ],
  diskFreeBytes: 5_000_000_000,
  unused: [
    { days: 30, statuses: 6_000 },
    { days: 90, statuses: 4_000 },
  ],
};
