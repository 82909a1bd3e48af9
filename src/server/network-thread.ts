/** Composition of a network thread: effects, answers and lanes, everything that talks to other servers. */

import { createHtmlCleaner } from '../federation/remote-html/cleaner.ts';
import { toWireFailure } from '../runtime/errors.ts';
import type { Trace } from '../runtime/flow.ts';
import { Pool } from '../runtime/pool.ts';
import type { CallResult, CommitPosition } from '../runtime/ports.ts';
import type { OpenSnapshots } from '../runtime/storage/snapshots.ts';
import { Client } from '../runtime/threads/client.ts';
import type { Link } from '../runtime/threads/link.ts';
import type { ThreadMessage } from '../runtime/threads/messages.ts';
import type { Service, Thread } from '../runtime/threads/thread.ts';
import { EventHub } from '../services/event-hub.ts';
import { collectWhenIdle } from './idle-collection.ts';
import { createReport, createTrace, quietAboutStopping, type Report } from './log.ts';
import { createNetworkRole, type NetworkRole, networkEvents } from './network-role.ts';
import { OwnerEvents } from './owner-events.ts';
import { openPartitions, placementOf } from './partitions.ts';
import type { Shared } from './shared.ts';
import { sampleNetwork } from './thread-gauges.ts';
import { createThreadServices } from './thread-services.ts';

export function runNetwork(thread: Thread<Shared>): void {
  thread.run(new NetworkService(thread));
  collectWhenIdle();
}

class NetworkService implements Service {
  private readonly thread: Thread<Shared>;
  private readonly client: Client;
  private readonly events = new EventHub();
  private readonly ownerEvents: OwnerEvents;
  private readonly pool: Pool;
  private readonly report: Report;
  private readonly trace: Trace | undefined;
  private opened: OpenSnapshots | undefined;
  private role: NetworkRole | undefined;
  private stopping = false;

  constructor(thread: Thread<Shared>) {
    this.thread = thread;
    this.pool = new Pool({ threads: thread.shared.options.poolThreads });
    const noteCommit = (position?: CommitPosition) => this.opened?.snapshots.noteCommit(position);
    this.client = new Client(thread, placementOf(thread), noteCommit);
    const { client, events } = this;
    this.ownerEvents = new OwnerEvents({ client, events, wanted: networkEvents, noteCommit });
    this.trace = createTrace(thread.shared.options, `network ${thread.name.index}`);
    this.report = quietAboutStopping(
      createReport(thread.shared.options.logLevel, `network ${thread.name.index}`),
      () => this.stopping,
    );
  }

  async start(): Promise<void> {
    this.opened = openPartitions(this.thread.shared, this.client.placement);
    const { index } = this.thread.name;
    const services = createThreadServices({
      thread: this.thread,
      client: this.client,
      snapshots: this.opened.snapshots,
      events: this.events,
      cleanHtml: createHtmlCleaner(this.pool),
      askNetwork: (other, topic, request) =>
        other === index ? this.answerTo(topic, request) : this.client.ask('network', other, topic, request),
      now: () => Date.now(),
      report: this.report,
    });
    this.role = createNetworkRole({ ...services, index, count: this.thread.counts.network, trace: this.trace });
    services.barrier.start(services.snapshots.beginReads().commits);
    sampleNetwork(this.thread.metrics, this.role);
    await this.ownerEvents.listen();
    if (this.thread.shared.listening && !this.stopping) for (const task of this.role.tasks) task.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.ownerEvents.stop();
    await Promise.all((this.role?.tasks ?? []).map((task) => task.stop()));
    this.client.close();
    await this.pool.close();
    await this.opened?.close();
  }

  attached(link: Link, replaced: boolean): void {
    if (!replaced) return;
    this.client.peerReplaced(link);
    if (link.peer.role === 'owner') this.ownerEvents.ownerReplaced(link.peer.index);
  }

  receive(message: ThreadMessage, from: Link): void {
    switch (message.type) {
      case 'reply':
        this.client.replied(message);
        return;
      case 'events':
        this.ownerEvents.heard(message);
        return;
      case 'gap':
        this.ownerEvents.fellBehind();
        return;
      case 'effect':
        void this.runEffect(message, from);
        return;
      case 'ask':
        void this.answer(message, from);
    }
  }

  private async runEffect(message: Extract<ThreadMessage, { type: 'effect' }>, from: Link): Promise<void> {
    const { partition, sequence, effect, request, cause } = message;
    if (cause !== undefined) this.trace?.(cause, `effect ${effect}`, { partition, sequence });
    try {
      const runner = this.role?.effects.get(effect);
      if (runner === undefined) throw new Error(`nobody runs the effect ${effect}`);
      this.opened?.snapshots.beginReads();
      from.send({ type: 'answer', partition, sequence, answer: await runner(request) });
    } catch (error) {
      // Runners answer expected failures themselves: this one is a mistake, or the thread is stopping.
      this.report({ level: 'error', message: `the effect ${effect} failed`, error });
      from.send({
        type: 'effectFailed',
        partition,
        sequence,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }

  private async answer(message: Extract<ThreadMessage, { type: 'ask' }>, from: Link): Promise<void> {
    let result: CallResult;
    try {
      this.opened?.snapshots.beginReads();
      result = { ok: true, value: await this.answerTo(message.topic, message.request) };
    } catch (error) {
      result = { ok: false, failure: toWireFailure(error) };
    }
    from.send({ type: 'reply', handle: message.replyTo, result });
  }

  private async answerTo<Reply>(topic: string, request: unknown): Promise<Reply> {
    const answerer = this.role?.answerers.get(topic);
    if (answerer === undefined) throw new Error(`nobody answers ${topic}`);
    return (await answerer(request)) as Reply;
  }
}
