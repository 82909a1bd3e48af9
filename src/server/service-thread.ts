/**
 * A thread without actors: what all of them are made of, from start to stop. What a role adds is its `Work`: the requests
 * of other threads that it answers, what it serves, and how it ends that.
 */
import { createSignedDocuments } from '../federation/document-signatures/signed-documents.ts';
import { createHtmlCleaner } from '../outbound/remote-html/cleaner.ts';
import type { EffectRunner } from '../runtime/effects.ts';
import { Failure, toWireFailure } from '../runtime/errors.ts';
import type { WantedEvents } from '../runtime/events/event.ts';
import type { CallResult } from '../runtime/ports.ts';
import { clockOf, systemClock } from '../runtime/threads/clock.ts';
import type { Link } from '../runtime/threads/link.ts';
import { hasExpired, type ThreadMessage } from '../runtime/threads/messages.ts';
import { effectsRole } from '../runtime/threads/role.ts';
import type { Service, Thread } from '../runtime/threads/thread.ts';
import { errorTypeOf, type Trace } from '../runtime/tracing/trace.ts';
import type { BlobStores } from '../services/blobs/blob-store.ts';
import type { Answerer } from '../services/network-services.ts';
import type { Services } from '../services/services.ts';
import { ActorAccess } from './actor-access.ts';
import { openBlobStores } from './blob-store.ts';
import { createReport, quietAboutStopping, type Report } from './log.ts';
import { type PoolName, Pools } from './pools.ts';
import type { Shared } from './shared.ts';
import { createThreadServices } from './thread-services.ts';
import { createTrace } from './tracing.ts';

export interface Work {
  /** By the topic of the request. */
  readonly answerers: ReadonlyMap<string, Answerer>;
  /** By the number of the effect; for the role that runs effects. */
  readonly effects?: ReadonlyMap<number, EffectRunner<unknown, unknown>>;
  /** Begins to serve. Events arrive from here on; not called in the threads of a single command. */
  serve(): void;
  /** Ends what it serves; calls to actors are still possible. */
  close(): Promise<void>;
  /** See `Service`. */
  admin?(request: unknown): Promise<unknown>;
  exiting?(): void;
}

/** What a role's work is made from. */
export interface WorkInput {
  readonly thread: Thread<Shared>;
  readonly services: Services;
  readonly pools: Pools;
  readonly trace: Trace | undefined;
  /** What is read from now on includes every commit until now. */
  beginReads(): void;
}

export interface ServiceRole {
  readonly pools: readonly PoolName[];
  /** What its threads listen to. */
  readonly wantedEvents: WantedEvents;
  work(input: WorkInput): Work;
}

export async function runServiceThread(thread: Thread<Shared>, role: ServiceRole): Promise<void> {
  const { options, dataDirectory } = thread.shared;
  const blobStores = await openBlobStores(options, dataDirectory);
  thread.run(new ServiceThread(thread, role, blobStores));
}

type EffectMessage = Extract<ThreadMessage, { type: 'effect' }>;

/** `own`: of what the effect causes. */
type TracedEffect = { readonly own: string; ended(error?: unknown): void } | undefined;

class ServiceThread implements Service {
  private readonly thread: Thread<Shared>;
  private readonly role: ServiceRole;
  private readonly blobStores: BlobStores;
  private readonly actors: ActorAccess;
  private readonly pools: Pools;
  private readonly report: Report;
  private readonly trace: Trace | undefined;
  private work: Work | undefined;
  private stopping = false;

  constructor(thread: Thread<Shared>, role: ServiceRole, blobStores: BlobStores) {
    const { name, shared } = thread;
    const title = `${name.role} ${name.index}`;
    this.thread = thread;
    this.role = role;
    this.blobStores = blobStores;
    this.pools = new Pools(role.pools, shared.options);
    this.trace = createTrace(thread);
    this.actors = new ActorAccess(thread, role.wantedEvents, this.trace);
    this.report = quietAboutStopping(createReport(shared, title), () => this.stopping);
  }

  async start(): Promise<void> {
    const { thread, actors, trace } = this;
    this.work = this.role.work({
      thread,
      services: this.createServices(),
      pools: this.pools,
      trace,
      beginReads: () => actors.beginReads(),
    });
    await actors.listen();
    if (thread.shared.listening && !this.stopping) this.work.serve();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.actors.stopListening();
    await this.work?.close();
    this.actors.client.close();
    await this.pools.close();
    await this.actors.closeSnapshots();
  }

  attached(link: Link, replaced: boolean): void {
    this.actors.attached(link, replaced);
  }

  exiting(): void {
    this.work?.exiting?.();
  }

  receive(message: ThreadMessage, from: Link): void {
    if (message.type === 'effect') void this.runEffect(message, from);
    else if (message.type === 'ask') void this.answer(message, from);
    else this.actors.receive(message);
  }

  admin(request: unknown): Promise<unknown> {
    this.actors.beginReads();
    return this.work!.admin!(request);
  }

  private createServices(): Services {
    const { client, events } = this.actors;
    const { role, index } = this.thread.name;
    return createThreadServices({
      thread: this.thread,
      blobStores: this.blobStores,
      client,
      events,
      snapshots: this.actors.openSnapshots(this.report),
      cleanHtml: createHtmlCleaner(this.pools.get('html')),
      signedDocuments: createSignedDocuments(this.pools.get('html')),
      askNetwork: (other, topic, request) =>
        role === effectsRole && other === index
          ? this.answerTo(topic, request)
          : client.ask(effectsRole, other, topic, request),
      ...clockOf(this.thread.shared.clockShift),
      report: this.report,
    });
  }

  private async runEffect(message: EffectMessage, from: Link): Promise<void> {
    const { partition, sequence, effect, request, cause } = message;
    const runner = this.work?.effects?.get(effect);
    const traced = this.beginEffect(message, runner?.effect);
    try {
      if (runner === undefined) throw new Error(`no runner for effect ${effect}`);
      this.actors.beginReads();
      from.send({ type: 'answer', partition, sequence, answer: await runner(request, traced?.own ?? cause) });
      traced?.ended();
    } catch (error) {
      traced?.ended(error);
      // Runners answer expected failures themselves: this one is a mistake, or the thread is stopping.
      this.report({ level: 'error', message: `the effect ${effect} failed`, error });
      const reason = error instanceof Error ? error.message : String(error);
      from.send({ type: 'effectFailed', partition, sequence, reason });
    }
  }

  private beginEffect({ partition, sequence, effect, cause }: EffectMessage, name = String(effect)): TracedEffect {
    const { trace } = this;
    if (cause === undefined || trace === undefined) return undefined;
    trace.step(cause, { line: { text: `effect ${effect}`, details: { partition, sequence } } });
    const own = trace.within(cause);
    const beganAt = systemClock.monotonic();
    return {
      own,
      ended(error) {
        const attributes = error === undefined ? {} : { 'error.type': errorTypeOf(error) };
        trace.step(cause, { span: { name: `effect ${name}`, kind: 'internal', beganAt, own, attributes } });
      },
    };
  }

  private async answer(message: Extract<ThreadMessage, { type: 'ask' }>, from: Link): Promise<void> {
    let result: CallResult;
    try {
      if (hasExpired(message)) throw new Failure('expired');
      result = { ok: true, value: await this.answerTo(message.topic, message.request) };
    } catch (error) {
      result = { ok: false, failure: toWireFailure(error) };
    }
    from.send({ type: 'reply', handle: message.replyTo, result });
  }

  private async answerTo<Reply>(topic: string, request: unknown): Promise<Reply> {
    const answerer = this.work?.answerers.get(topic);
    if (answerer === undefined) throw new Error(`no answerer for ${topic}`);
    return (await answerer(request)) as Reply;
  }
}
