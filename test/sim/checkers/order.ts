/** Frames of a channel are numbered without gaps, and commits are told in order, over all lives of a partition. */
import type { Checker } from '../workload.ts';

export function order(): Checker {
  const lastFrames = new Map<string, number>();
  const lastCommits = new Map<number, number>();
  return {
    name: 'order',
    frame({ source, destination, sequence }) {
      const channel = `${source} to ${destination}`;
      const last = lastFrames.get(channel) ?? 0;
      if (sequence > last + 1) return `frame ${sequence} from ${channel} follows frame ${last}`;
      lastFrames.set(channel, Math.max(last, sequence));
      return undefined;
    },
    published({ partition, commit }) {
      const last = lastCommits.get(partition) ?? 0;
      if (commit <= last) return `partition ${partition} told commit ${commit} after commit ${last}`;
      lastCommits.set(partition, commit);
      return undefined;
    },
  };
}
