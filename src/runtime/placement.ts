/**
 * Placement on one node: partitions are contiguous ranges of slots (only `murmuration repartition` changes their
 * number), distributed over the threads in turn. Nothing else computes where an actor lives or who serves it.
 */
import { type Envelope, slotOfActor } from './contract.ts';
import { slotCount } from './ids.ts';
import type { Placement } from './ports.ts';

export interface PlacedThreads {
  readonly owner: number;
  readonly network: number;
}

const oneOfEach: PlacedThreads = { owner: 1, network: 1 };

/** `epoch`: of the data folder, once it is opened; all its partitions have the same. */
export function evenPlacement(
  partitions: number,
  threads: PlacedThreads = oneOfEach,
  epoch: () => number = () => 1,
): Placement {
  if (partitions < 1 || partitions > slotCount)
    throw new Error(`a server has 1 to ${slotCount} partitions, not ${partitions}`);
  return {
    partitions,
    partitionOf: (slot) => Math.floor((slot * partitions) / slotCount),
    ownerOf: (partition) => partition % threads.owner,
    networkOf: (slot) => slot % threads.network,
    epochOf: epoch,
  };
}

export interface SlotRange {
  readonly first: number;
  readonly count: number;
}

/** The slots of each partition, for work on everything there is. */
export function slotsOfPartitions({ partitions, partitionOf }: Placement): readonly SlotRange[] {
  const all = Array.from({ length: slotCount }, (_, slot) => partitionOf(slot));
  return Array.from({ length: partitions }, (_, partition) => ({
    first: all.indexOf(partition),
    count: all.filter((other) => other === partition).length,
  }));
}

/** Throws for a number that no partition has. */
export function existingPartition({ partitions }: Placement, number: number): number {
  if (Number.isInteger(number) && number >= 0 && number < partitions) return number;
  throw new Error(`there is no partition ${number}`);
}

export function partitionOfEnvelope(placement: Placement, envelope: Envelope): number {
  return envelope.partition ?? placement.partitionOf(slotOfActor(envelope.key));
}
