/** Appends what a webhook is told to the log of its partition. */
import type { z } from 'zod';
import type { Turn } from '../../runtime/partition/turn.ts';
import { webhookLane } from '../policy/webhooks.ts';
import { emptyDeliveryMeta, numberOfHost } from './hosts.ts';
import { webhookAppended } from './partition.events.ts';
import type { PartitionActor } from './partition.messages.ts';
import { deliveryMeta } from './partition.state.ts';
import { webhookLog, webhookNewsKeptMax } from './webhooks.state.ts';

export function webhook(turn: Turn<bigint>, news: z.infer<(typeof PartitionActor.webhook)['body']>): undefined {
  const host = numberOfHost(turn, webhookLane(news.webhookId));
  const meta = turn.get(deliveryMeta, [0]) ?? emptyDeliveryMeta;
  const sequence = meta.nextWebhook ?? 1;
  turn.put(deliveryMeta, [0], { ...meta, nextWebhook: sequence + 1 });
  turn.put(webhookLog, [sequence], { ...news, host, ...(turn.cause !== undefined && { cause: turn.cause }) });
  if (sequence > webhookNewsKeptMax) turn.delete(webhookLog, [sequence - webhookNewsKeptMax]);
  turn.emit(webhookAppended, { sequence });
}
