/**
 * Frames of a channel are numbered without gaps, and commits are announced in order, across all lives of a partition.
 * Within one life listeners get every commit that has events.
 */
import { events } from '../../../src/runtime/storage/machine.ts';
import type { Reader } from '../../../src/runtime/storage/reader.ts';
import type { Checker } from '../workload.ts';

export function order(): Checker {
  const lastFrames = new Map<string, number>();
  const lastCommits = new Map<number, number>();
  /** Partitions that have announced a commit since they came up, with the last one. */
  const toldInLife = new Map<number, number>();
  const untold = (partition: number, until: number, disk: Reader) => {
    const last = toldInLife.get(partition);
    if (last === undefined) return undefined;
    for (const { key } of disk.range(events, [], { from: last + 1, until }))
      return `partition ${partition} never told commit ${key[0]}`;
    return undefined;
  };
  return {
    name: 'order',
    frame({ source, destination, sequence }) {
      const channel = `${source} to ${destination}`;
      const last = lastFrames.get(channel) ?? 0;
      if (sequence > last + 1) return `frame ${sequence} from ${channel} follows frame ${last}`;
      lastFrames.set(channel, Math.max(last, sequence));
      return undefined;
    },
    opened(partition) {
      toldInLife.delete(partition);
      return undefined;
    },
    published({ partition, commit }, disk) {
      const last = lastCommits.get(partition) ?? 0;
      if (commit <= last) return `partition ${partition} told commit ${commit} after commit ${last}`;
      lastCommits.set(partition, commit);
      const complaint = untold(partition, commit, disk);
      toldInLife.set(partition, commit);
      return complaint;
    },
    finished(disks) {
      for (const [partition, disk] of disks.entries()) {
        const complaint = untold(partition, Number.MAX_SAFE_INTEGER, disk);
        if (complaint !== undefined) return complaint;
      }
      return undefined;
    },
  };
}
