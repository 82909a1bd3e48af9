/** Lanes of webhooks over all actors in memory, in simulated time, and receivers that answer as a test says. */
import { createHmac } from 'node:crypto';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { findWebhook } from '../../../src/actors/instance/webhooks/webhooks.queries.ts';
import type { WebhookContent } from '../../../src/actors/instance/webhooks/webhooks.records.ts';
import { webhookLog } from '../../../src/actors/partition/webhooks.state.ts';
import { webhookDocument } from '../../../src/gateway/entities/webhook-document.ts';
import type { Delivery, DeliveryResult } from '../../../src/outbound/fetcher/deliver.ts';
import type { Lanes } from '../../../src/outbound/lanes/lanes.ts';
import { createWebhookLanes } from '../../../src/outbound/webhooks/create-webhooks.ts';
import type { WebhookDrop } from '../../../src/outbound/webhooks/ports.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import { createTestServer } from '../../support/actors.ts';
import { roomyCaches } from '../../support/caches.ts';
import { People } from '../../support/people.ts';
import { testServices } from '../../support/services.ts';
import { SimulatedTime } from '../lanes/simulated-time.ts';

/** What a receiver got; the signature was that of the secret. */
export interface Received {
  readonly at: number;
  readonly url: string;
  readonly text: string;
}

export class WebhookBed {
  readonly people = new People(createTestServer({ actors, keyspaces }));
  readonly server = this.people.server;
  readonly sent: Received[] = [];
  readonly problems: string[] = [];
  readonly dropped: WebhookDrop[] = [];
  readonly time = new SimulatedTime(this.server.clock, () => this.server.settle());
  /** How receivers answer, by their addresses. */
  readonly answers = new Map<string, DeliveryResult>();
  private running: { lanes: Lanes; hub: EventHub; life: { isOver: boolean } };

  constructor() {
    this.server.watch((batch) => this.running.hub.dispatch(batch, []));
    this.running = this.startLanes();
  }

  get lanes(): Lanes {
    return this.running.lanes;
  }

  add(content: Partial<WebhookContent> = {}): bigint {
    const usual: WebhookContent = { url: 'https://bot.example/', events: ['status.created'], template: '' };
    const { webhookId } = this.server.callNow(
      Instance.addWebhook.to(instanceKey, { ...usual, ...content, secret: 'a secret' }),
    );
    this.server.settle();
    return webhookId;
  }

  stored(webhookId: bigint) {
    return findWebhook(this.server.read, webhookId);
  }

  answer(status: number, url = 'https://bot.example/'): void {
    this.answers.set(url, { ok: true, status, retryAfterMilliseconds: undefined });
  }

  /** What arrived, parsed: ids are texts. */
  bodies(): { readonly event: string; readonly object: Record<string, unknown> }[] {
    return this.sent.map(({ text }) => JSON.parse(text));
  }

  settle(): Promise<void> {
    return this.time.settle();
  }

  advance(milliseconds: number): Promise<void> {
    return this.time.advance(milliseconds);
  }

  /** Entries that are still in the logs. */
  logged(): number {
    return this.server.read.partitions.reduce((sum, reader) => sum + [...reader.range(webhookLog, [])].length, 0);
  }

  /** The network thread dies without a word, and another starts. */
  async crash(): Promise<void> {
    this.running.life.isOver = true;
    this.running = this.startLanes();
    await this.settle();
  }

  private startLanes() {
    const hub = new EventHub();
    const life = { isOver: false };
    const alive = (run: () => void) => () => {
      if (!life.isOver) run();
    };
    const services = { ...testServices(this.server, { elsewhere: new Map(), home: undefined }), index: 0, count: 1 };
    const report = ({ level, message }: { level: string; message: string }) => {
      if (level !== 'debug') this.problems.push(message);
    };
    const lanes = createWebhookLanes(
      { ...services, events: hub, caches: roomyCaches('network'), report, trace: undefined },
      {
        now: () => this.server.clock.now(),
        monotonic: () => this.server.clock.monotonic(),
        random: () => this.time.random(),
        defer: (callback) => this.time.defer(alive(callback)),
        schedule: (milliseconds, callback) => this.time.schedule(milliseconds, alive(callback)),
        attempted: () => undefined,
        waitShortened: () => undefined,
        dropped: (why) => void this.dropped.push(why),
        documentOf: webhookDocument(services),
        report,
        send: (request) => (life.isOver ? new Promise(() => undefined) : this.receive(request)),
      },
    );
    lanes.start();
    return { lanes, hub, life };
  }

  private receive({ url, body, headers }: Delivery): Promise<DeliveryResult> {
    const signature = createHmac('sha256', 'a secret').update(body).digest('hex');
    if (headers['x-hub-signature'] !== `sha256=${signature}`) throw new Error('signed with another secret');
    this.sent.push({ at: this.server.clock.now(), url, text: body.toString() });
    const answer = this.answers.get(url) ?? { ok: true, status: 200, retryAfterMilliseconds: undefined };
    return new Promise((resolve) => this.time.defer(() => resolve(answer)));
  }
}
