/** What the lanes of webhooks need from outside; create-webhooks.ts makes it. Tests run them in simulated time. */
import type { LoggedNews } from '../../actors/partition/webhooks.queries.ts';
import type { Trace } from '../../runtime/tracing/trace.ts';
import type { Delivery, DeliveryResult } from '../fetcher/deliver.ts';
import type { LanePorts } from '../lanes/ports.ts';

export const webhookDrops = [
  /** More waits than the log keeps. */
  'overwritten',
  /** The template makes too long a text of it. */
  'too long',
] as const;
/** Why a webhook was not told of something. */
export type WebhookDrop = (typeof webhookDrops)[number];

/** What is sent of an event, as JSON: `{ event, created_at, object }`. Undefined where its subject is gone. */
export type WebhookDocument = (news: Pick<LoggedNews, 'event' | 'at' | 'subjectId'>) => string | undefined;

export interface WebhookPorts extends LanePorts {
  /** Never rejects. */
  send(delivery: Delivery): Promise<DeliveryResult>;
  documentOf: WebhookDocument;
  /** Counted for the operator. */
  dropped(why: WebhookDrop): void;
  readonly trace?: Trace | undefined;
}
