/** The bank of the crash test, shared by its processes. */
import { composeId, slotCount } from '../../../src/runtime/ids.ts';

export const crashPartitions = 2;

export const bankAccounts: readonly bigint[] = [0, 1, 7, 500, slotCount / 2, slotCount / 2 + 1, 800, 1023].map((slot) =>
  composeId(1, slot, 0),
);
