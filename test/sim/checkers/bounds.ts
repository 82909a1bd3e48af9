/** Queues stay within their bounds, and a call is answered successfully at most once. */
import { partitionLimits } from '../../../src/runtime/limits.ts';
import { cursors, inbox } from '../../../src/runtime/storage/machine.ts';
import type { Checker } from '../workload.ts';

/** What the inbox takes while calls still run, and what one call and one frame may add to it. */
const inboxLengthMax =
  partitionLimits.inboxMessagesMax * partitionLimits.inboxOverflowFactor +
  partitionLimits.frameMessagesMax +
  partitionLimits.turnMessagesMax;

export function bounds(): Checker {
  const answered = new Set<number>();
  return {
    name: 'bounds',
    frame({ source, sequence }, _disk, destinationDisk) {
      const ahead = sequence - (destinationDisk.get(cursors, [source])?.sequence ?? 0);
      if (ahead <= partitionLimits.waitingFramesMax) return undefined;
      return `frame ${sequence} is ${ahead} frames ahead of its receiver`;
    },
    committed(partition, disk) {
      const length = [...disk.range(inbox, [])].length;
      return length <= inboxLengthMax ? undefined : `${length} messages stand in the inbox of partition ${partition}`;
    },
    reply(call, result) {
      if (!result.ok) return undefined;
      if (answered.has(call.number)) return `call ${call.number} is answered twice`;
      answered.add(call.number);
      return undefined;
    },
  };
}
