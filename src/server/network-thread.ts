/** Composition of a network thread: effects, answers and lanes, everything that talks to other servers. */

import { createHtmlCleaner } from '../outbound/remote-html/cleaner.ts';
import { Failure, toWireFailure } from '../runtime/errors.ts';
import type { Trace } from '../runtime/flow.ts';
import { Pool } from '../runtime/pool.ts';
import type { CallResult } from '../runtime/ports.ts';
import { systemClock } from '../runtime/threads/clock.ts';
import type { Link } from '../runtime/threads/link.ts';
import { hasExpired, type ThreadMessage } from '../runtime/threads/messages.ts';
import type { Service, Thread } from '../runtime/threads/thread.ts';
import { ActorAccess } from './actor-access.ts';
import { collectWhenIdle } from './idle-collection.ts';
import { createReport, createTrace, quietAboutStopping, type Report } from './log.ts';
import { createNetworkRole, type NetworkRole, networkEvents } from './network-role.ts';
import type { Shared } from './shared.ts';
import { countDeliveries, sampleNetwork } from './thread-gauges.ts';
import { createThreadServices } from './thread-services.ts';

export function runNetwork(thread: Thread<Shared>): void {
  thread.run(new NetworkService(thread));
  collectWhenIdle();
}

class NetworkService implements Service {
  private readonly thread: Thread<Shared>;
  private readonly actors: ActorAccess;
  private readonly pool: Pool;
  private readonly report: Report;
  private readonly trace: Trace | undefined;
  private role: NetworkRole | undefined;
  private stopping = false;

  constructor(thread: Thread<Shared>) {
    this.thread = thread;
    this.pool = new Pool({ threads: thread.shared.options.poolThreads });
    this.actors = new ActorAccess(thread, networkEvents);
    this.trace = createTrace(thread.shared, `network ${thread.name.index}`);
    this.report = quietAboutStopping(createReport(thread.shared, `network ${thread.name.index}`), () => this.stopping);
  }

  async start(): Promise<void> {
    const { client, events } = this.actors;
    const { index } = this.thread.name;
    const services = createThreadServices({
      thread: this.thread,
      client,
      events,
      snapshots: this.actors.openSnapshots(this.report),
      cleanHtml: createHtmlCleaner(this.pool),
      askNetwork: (other, topic, request) =>
        other === index ? this.answerTo(topic, request) : client.ask('network', other, topic, request),
      ...systemClock,
      report: this.report,
    });
    const { metrics, counts } = this.thread;
    const networkServices = { ...services, index, count: counts.network, trace: this.trace };
    this.role = createNetworkRole(networkServices, countDeliveries(metrics));
    services.barrier.start(services.snapshots.beginReads().commits);
    sampleNetwork(metrics, this.role);
    await this.actors.listen();
    if (this.thread.shared.listening && !this.stopping) for (const task of this.role.tasks) task.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.actors.stopListening();
    await Promise.all((this.role?.tasks ?? []).map((task) => task.stop()));
    this.actors.client.close();
    await this.pool.close();
    await this.actors.closeSnapshots();
  }

  attached(link: Link, replaced: boolean): void {
    this.actors.attached(link, replaced);
  }

  receive(message: ThreadMessage, from: Link): void {
    if (message.type === 'effect') void this.runEffect(message, from);
    else if (message.type === 'ask') void this.answer(message, from);
    else this.actors.receive(message);
  }

  private async runEffect(message: Extract<ThreadMessage, { type: 'effect' }>, from: Link): Promise<void> {
    const { partition, sequence, effect, request, cause } = message;
    if (cause !== undefined) this.trace?.(cause, `effect ${effect}`, { partition, sequence });
    try {
      const runner = this.role?.effects.get(effect);
      if (runner === undefined) throw new Error(`no runner for effect ${effect}`);
      this.actors.beginReads();
      from.send({ type: 'answer', partition, sequence, answer: await runner(request, cause) });
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
      if (hasExpired(message)) throw new Failure('expired');
      this.actors.beginReads();
      result = { ok: true, value: await this.answerTo(message.topic, message.request) };
    } catch (error) {
      result = { ok: false, failure: toWireFailure(error) };
    }
    from.send({ type: 'reply', handle: message.replyTo, result });
  }

  private async answerTo<Reply>(topic: string, request: unknown): Promise<Reply> {
    const answerer = this.role?.answerers.get(topic);
    if (answerer === undefined) throw new Error(`no answerer for ${topic}`);
    return (await answerer(request)) as Reply;
  }
}
