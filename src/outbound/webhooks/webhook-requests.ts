/**
 * Makes the requests of the webhook log, and sends them. The webhook and what it is told are read for each attempt: one that
 * was disabled or removed, and what was deleted meanwhile, send nothing; another address, template or secret counts at once.
 */
import { createHmac } from 'node:crypto';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { findWebhook, type StoredWebhook } from '../../actors/instance/webhooks/webhooks.queries.ts';
import type { WebhookAnswer, WebhookProblem } from '../../actors/instance/webhooks/webhooks.records.ts';
import type { LoggedNews } from '../../actors/partition/webhooks.queries.ts';
import { renderTemplate } from '../../actors/policy/webhook-template.ts';
import { webhookTest } from '../../actors/policy/webhooks.ts';
import { isTemporary } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { isUnreadable, type Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Client } from '../../runtime/threads/client.ts';
import { attributesOfExchange } from '../../runtime/tracing/trace.ts';
import type { Delivery, DeliveryResult } from '../fetcher/deliver.ts';
import { outcomeOfResponse } from '../lanes/http-outcome.ts';
import type { PreparedEntry, SendRequest } from '../lanes/log.ts';
import type { WebhookPorts } from './ports.ts';
import type { WebhookSource } from './webhook-entry.ts';

export interface WebhookRequestsOptions {
  readonly snapshots: Snapshots;
  readonly client: Pick<Client, 'call'>;
  readonly ports: WebhookPorts;
}

/** Of requests that end alike one in so long is told to the instance; one that ends otherwise, and a test, at once. */
const answerMilliseconds = 60_000;

interface Told {
  readonly url: string;
  readonly at: number;
  readonly isAccepted: boolean;
}

export class WebhookRequests implements WebhookSource {
  private readonly options: WebhookRequestsOptions;
  /** What was last told of each webhook; there are few. */
  private readonly told = new Map<Id, Told>();

  constructor(options: WebhookRequestsOptions) {
    this.options = options;
  }

  overwritten(): void {
    this.options.ports.dropped('overwritten');
  }

  prepare(news: LoggedNews): PreparedEntry | Promise<undefined> | undefined {
    const { snapshots, ports } = this.options;
    try {
      const webhook = findWebhook(snapshots, news.webhookId);
      if (webhook?.isEnabled !== true) return undefined;
      const document = ports.documentOf(news);
      const body = document && bodyOf(webhook, document);
      if (document !== undefined && body === undefined) ports.dropped('too long');
      if (body === undefined) return undefined;
      const send = this.sender(news, { url: webhook.url, ...signed(webhook, Buffer.from(body)) });
      return { requestTo: async () => send };
    } catch (error) {
      if (isUnreadable(error)) return Promise.reject(error);
      // One that cannot be made must not stop the lane.
      ports.report({ level: 'error', message: `a webhook could not be told of ${news.event}`, error });
      return undefined;
    }
  }

  private sender(news: LoggedNews, delivery: Delivery): SendRequest {
    const { ports } = this.options;
    return async () => {
      const beganAt = ports.monotonic();
      const result = await ports.send(delivery);
      this.trace(news, delivery, result, beganAt);
      const problem = problemOf(result);
      this.tell(news, delivery.url, { at: ports.now(), ...(problem && { problem }) });
      return outcomeOfResponse(result);
    };
  }

  private tell({ webhookId, event }: LoggedNews, url: string, answer: WebhookAnswer): void {
    const known = this.told.get(webhookId);
    const isAccepted = answer.problem === undefined;
    const isKnown = known?.url === url && known.isAccepted === isAccepted;
    if (isKnown && event !== webhookTest && answer.at < known.at + answerMilliseconds) return;
    // Those that are gone are forgotten.
    if (this.told.size > instanceLimits.webhooksMax) this.told.clear();
    this.told.set(webhookId, { url, at: answer.at, isAccepted });
    void this.store(webhookId, answer);
  }

  private async store(webhookId: Id, answer: WebhookAnswer): Promise<void> {
    const { client, ports } = this.options;
    try {
      await client.call(Instance.webhookAnswered.to(instanceKey, { webhookId, answer }), 'system');
    } catch (error) {
      // The next answer is told.
      this.told.delete(webhookId);
      const level = isTemporary(error) ? 'debug' : 'error';
      ports.report({ level, message: 'how a webhook has answered could not be stored', error });
    }
  }

  private trace({ cause }: LoggedNews, { url }: Delivery, result: DeliveryResult, beganAt: number): void {
    if (cause === undefined) return;
    const { host } = new URL(url);
    const status = result.ok ? result.status : undefined;
    this.options.ports.trace?.step(cause, {
      line: { text: `webhook at ${host}`, details: { status } },
      span: { name: 'webhook', kind: 'client', beganAt, attributes: attributesOfExchange(host, { status }) },
    });
  }
}

/** Undefined where the template makes too long a text of it. */
function bodyOf({ template }: StoredWebhook, document: string): string | undefined {
  return template === '' ? document : renderTemplate(template, JSON.parse(document));
}

/** Headers as Mastodon sends them. */
function signed({ secret }: StoredWebhook, body: Buffer): Pick<Delivery, 'body' | 'headers'> {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'x-hub-signature': `sha256=${signature}` } };
}

function problemOf(result: DeliveryResult): WebhookProblem | undefined {
  if (!result.ok) return { detail: result.detail };
  return result.status >= 200 && result.status < 300 ? undefined : { status: result.status };
}
