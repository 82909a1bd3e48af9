/** Queues stay within their bounds, and a call is answered well once at most. */
import { partitionLimits } from '../../../src/runtime/limits.ts';
import { cursors } from '../../../src/runtime/storage/machine.ts';
import type { Checker } from '../workload.ts';

export function bounds(): Checker {
  const answered = new Set<number>();
  return {
    name: 'bounds',
    frame({ source, sequence }, _disk, destinationDisk) {
      const ahead = sequence - (destinationDisk.get(cursors, [source]) ?? 0);
      if (ahead <= partitionLimits.waitingFramesMax) return undefined;
      return `frame ${sequence} is ${ahead} frames ahead of its receiver`;
    },
    reply(call, result) {
      if (!result.ok) return undefined;
      if (answered.has(call.number)) return `call ${call.number} is answered twice`;
      answered.add(call.number);
      return undefined;
    },
  };
}
