/** Tells webhooks of what happens in a turn, in its commit: each gets an entry in the log of its partition. */
import { type Id, slotOfKey } from '../../runtime/ids.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { type WebhookEvent, type WebhookNewsName, webhookLane } from '../policy/webhooks.ts';
import { PartitionActor } from './partition.messages.ts';
import { webhookTargets } from './webhook-targets.state.ts';

/** `subjectId`: of the account, the report or the status. Where no webhook is enabled this costs one read. */
export function tellWebhooks(
  turn: Pick<Turn<bigint>, 'get' | 'tell' | 'partitionOf' | 'now'>,
  event: WebhookEvent,
  subjectId: Id,
): void {
  for (const { id: webhookId, events } of turn.get(webhookTargets, [0])?.webhooks ?? [])
    if (events.includes(event)) tellWebhook(turn, webhookId, event, subjectId);
}

/** Tells one of them, whatever it wants to be told. */
export function tellWebhook(
  turn: Pick<Turn<never>, 'tell' | 'partitionOf' | 'now'>,
  webhookId: Id,
  event: WebhookNewsName,
  subjectId: Id,
): void {
  const partition = turn.partitionOf(slotOfKey(webhookLane(webhookId)));
  turn.tell(PartitionActor.webhook.to(BigInt(partition), { webhookId, event, subjectId, at: turn.now }));
}
