/** Once the faults have stopped, everything is delivered, run and answered. */
import { cursors, effects, inbox, outbox, timers } from '../../../src/runtime/storage/machine.ts';
import type { Reader } from '../../../src/runtime/storage/reader.ts';
import type { Checker } from '../workload.ts';

/** Unfinished work of a partition, in words; undefined when there is none. */
export function leftOver(partition: number, disks: readonly Reader[]): string | undefined {
  const disk = disks[partition]!;
  for (const space of [inbox, timers, effects]) {
    for (const _ of disk.range(space as typeof inbox, [])) return `partition ${partition} has ${space.name} left`;
  }
  for (const [destination, other] of disks.entries()) {
    const taken = other.get(cursors, [partition])?.sequence ?? 0;
    for (const { key } of disk.range(outbox, [destination], { reverse: true, limit: 1 }))
      if (key[1] > taken) return `partition ${destination} has not taken frame ${key[1]} of ${partition}`;
  }
  return undefined;
}

/** A timer whose date the wall clock has passed by more than this, in words. */
export function overdueTimer(partition: number, disk: Reader, now: number, patience: number): string | undefined {
  for (const { key } of disk.range(timers, [], { limit: 1 }))
    if (key[0] + patience < now) return `a timer of partition ${partition} stands ${now - key[0]} ms after its date`;
  return undefined;
}

export function rest(): Checker {
  return {
    name: 'rest',
    finished(disks) {
      for (const partition of disks.keys()) {
        const left = leftOver(partition, disks);
        if (left !== undefined) return left;
      }
      return undefined;
    },
  };
}
