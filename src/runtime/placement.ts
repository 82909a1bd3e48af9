/**
 * Placement on one node: contiguous ranges of slots, whose number only `murmuration repartition` changes, and threads that
 * take turns. Nobody else computes where something lives or who serves it.
 */
import { type Envelope, slotOfActor } from './contract.ts';
import { slotCount } from './ids.ts';
import type { Placement } from './ports.ts';

export function partitionOfSlot(slot: number, partitions: number): number {
  return Math.floor((slot * partitions) / slotCount);
}

/** Which owner thread holds a partition. */
export function ownerOf(partition: number, owners: number): number {
  return partition % owners;
}

/** Which network thread serves a slot: the effects of its actors, the lanes of its hosts, the questions about them. */
export function networkOf(slot: number, networks: number): number {
  return slot % networks;
}

export function evenPlacement(partitions: number): Placement {
  if (partitions < 1 || partitions > slotCount)
    throw new Error(`a server has 1 to ${slotCount} partitions, not ${partitions}`);
  return { partitions, partitionOf: (slot) => partitionOfSlot(slot, partitions) };
}

export function partitionOfEnvelope(placement: Placement, envelope: Envelope): number {
  return envelope.partition ?? placement.partitionOf(slotOfActor(envelope.key));
}
