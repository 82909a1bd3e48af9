/** Placement on one node: contiguous ranges of slots, their number fixed when the data folder is created. */
import { type Envelope, slotOfActor } from './contract.ts';
import { slotCount } from './ids.ts';
import type { Placement } from './ports.ts';

export function evenPlacement(partitions: number): Placement {
  if (partitions < 1 || partitions > slotCount)
    throw new Error(`a server has 1 to ${slotCount} partitions, not ${partitions}`);
  return { partitions, partitionOf: (slot) => Math.floor((slot * partitions) / slotCount) };
}

export function partitionOfEnvelope(placement: Placement, envelope: Envelope): number {
  return envelope.partition ?? placement.partitionOf(slotOfActor(envelope.key));
}
