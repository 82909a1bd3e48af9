/** Reads webhooks. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { instanceKey } from '../instance.messages.ts';
import type { Webhook } from './webhooks.records.ts';
import { webhooks } from './webhooks.state.ts';

export interface StoredWebhook extends Webhook {
  readonly id: Id;
}

/** Oldest first. */
export function allWebhooks(reader: Reader): StoredWebhook[] {
  return Array.from(reader.range(webhooks, [instanceKey]), ({ key, value }) => ({ id: key[1], ...value }));
}

export function findWebhook(reader: Reader, webhookId: Id): StoredWebhook | undefined {
  const found = reader.get(webhooks, [instanceKey, webhookId]);
  return found && { id: webhookId, ...found };
}
