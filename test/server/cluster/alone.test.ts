/** A command that must be alone stops once it is not. */
import { expect, test } from 'vitest';
import type { Holder, LeaseStore } from '../../../src/runtime/cluster/lease.ts';
import { takeAlone } from '../../../src/server/cluster/alone.ts';
import { until } from '../../support/until.ts';

test('what would be changed is refused once another one has the lease', async () => {
  let entry: { revision: number; holder: Holder | undefined } | undefined;
  const lease: LeaseStore = {
    read: async () => entry,
    async write(holder, revision) {
      if (revision !== (entry?.revision ?? 0)) return undefined;
      entry = { revision: revision + 1, holder };
      return entry.revision;
    },
  };
  const alone = await takeAlone({ lease }, { session: undefined }, 'http://one');
  expect(() => alone.assertHeld()).not.toThrow();
  entry = { revision: 5, holder: { session: 'another', address: 'http://two' } };
  const refusal = () => {
    try {
      alone.assertHeld();
      return undefined;
    } catch (error) {
      return String(error);
    }
  };
  await until(() => refusal() !== undefined);
  expect(refusal()).toContain('This command lost the lease of the cluster');
  await alone.giveBack();
  expect(entry.revision).toBe(5);
});
