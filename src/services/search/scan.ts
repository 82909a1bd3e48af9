/** Where the reading of a whole partition stands. It is stored, so that a restart goes on there. */
import type { Id } from '../../runtime/ids.ts';
import type { SlotRange } from '../../runtime/placement.ts';

/**
 * First who wants to be found, and who is interested in what; then statuses, whose entries need both; then entries and
 * interests of what is no longer there.
 */
export const scanPhases = ['accounts', 'statuses', 'entries', 'interests'] as const;
export type ScanPhase = (typeof scanPhases)[number];

export interface Scan {
  readonly phase: ScanPhase;
  /** Of accounts and statuses: the slot, and which of the lists in it. */
  readonly slot: number;
  readonly list: number;
  /** The last key that was read there. */
  readonly after: readonly Id[] | undefined;
}

export function beginningOf(phase: ScanPhase, firstSlot: number): Scan {
  return { phase, slot: firstSlot, list: 0, after: undefined };
}

export function writtenScan(scan: Scan | undefined): string {
  return scan === undefined ? '' : [scan.phase, scan.slot, scan.list, ...(scan.after ?? [])].join(' ');
}

/** Undefined for none. */
export function readScan(written: string): Scan | undefined {
  const [phase, slot, list, ...after] = written.split(' ');
  const known = scanPhases.find((name) => name === phase);
  if (known === undefined) return undefined;
  return {
    phase: known,
    slot: Number(slot),
    list: Number(list),
    after: after.length === 0 ? undefined : after.map(BigInt),
  };
}

/** How much of the work is done when a phase begins; the rest is the last one's. */
const begun: Readonly<Record<ScanPhase, number>> = { accounts: 0, statuses: 0.2, entries: 0.9, interests: 0.95 };

/** From 0 to 1, for a partition with these slots. */
export function doneOf({ phase, slot }: Scan, slots: SlotRange): number {
  const next = scanPhases[scanPhases.indexOf(phase) + 1];
  const width = (next === undefined ? 1 : begun[next]) - begun[phase];
  return begun[phase] + (width * (slot - slots.first)) / slots.count;
}
