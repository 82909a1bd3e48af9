/** Appends a push message to the log of its push service's partition. */
import type { z } from 'zod';
import type { Turn } from '../../runtime/partition/turn.ts';
import { emptyDeliveryMeta, numberOfHost } from './hosts.ts';
import { pushAppended } from './partition.events.ts';
import type { PartitionActor } from './partition.messages.ts';
import { deliveryMeta } from './partition.state.ts';
import { pushesKeptMax, pushLog } from './pushes.state.ts';

export function push(
  turn: Turn<bigint>,
  { host, ...message }: z.infer<(typeof PartitionActor.push)['body']>,
): undefined {
  const number = numberOfHost(turn, host);
  const meta = turn.get(deliveryMeta, [0]) ?? emptyDeliveryMeta;
  const sequence = meta.nextPush ?? 1;
  turn.put(deliveryMeta, [0], { ...meta, nextPush: sequence + 1 });
  const cause = turn.cause === undefined ? {} : { cause: turn.cause };
  turn.put(pushLog, [sequence], { at: turn.now, ...message, host: number, ...cause });
  if (sequence > pushesKeptMax) turn.delete(pushLog, [sequence - pushesKeptMax]);
  turn.emit(pushAppended, { sequence });
}
