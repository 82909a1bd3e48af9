/**
 * How threads without partitions reach other threads: calls to actors, requests to views, requests to services of
 * other threads. Every request has a deadline, and one that did not begin shortly before is not run. If the other thread
 * dies or takes too long, the outcome is unknown and the request may be repeated. Where too many wait, a request is
 * refused at once.
 *
 * INVARIANT reads after an answer are never older than the answer; callers need not do anything for that.
 */

import type { Envelope } from '../contract.ts';
import { Failure, fromWireFailure, overloadRefusal } from '../errors.ts';
import type { WantedEvents } from '../events/event.ts';
import type { DescribedFlow, Flow } from '../flow.ts';
import type { LetterOrder, LetterOutcome } from '../letters.ts';
import { threadLimits } from '../limits.ts';
import { counter, gauge, histogram, secondsBuckets } from '../metrics/metric.ts';
import type { Counter, Histogram } from '../metrics/metrics.ts';
import { partitionOfEnvelope } from '../placement.ts';
import { sizeOfPlainData } from '../plain-data.ts';
import type { CommitPosition, Placement } from '../ports.ts';
import { errorTypeOf, type Trace } from '../tracing/trace.ts';
import { systemClock } from './clock.ts';
import type { Link } from './link.ts';
import type { Answerable, ThreadMessage } from './messages.ts';
import { QueueEstimate } from './queue-estimate.ts';
import { RequestCount } from './request-count.ts';
import { ownerRole } from './role.ts';
import type { Thread } from './thread.ts';

interface TracedCall {
  readonly cause: string;
  readonly own: string;
}

interface Waiting {
  readonly link: Link;
  readonly queue: QueueEstimate | RequestCount;
  readonly deadline: number;
  readonly invalidated: (() => void) | undefined;
  /** Of a traced call: its cause, and that of what it causes. */
  readonly traced: TracedCall | undefined;
  resolve(value: unknown): void;
  reject(failure: Failure): void;
}

const callSeconds = histogram({
  name: 'call',
  unit: 'seconds',
  help: 'Time from a request to another thread to its answer, usually after a commit',
  buckets: secondsBuckets.filter((seconds) => seconds >= 0.001),
});
const callsWaiting = gauge({ name: 'calls_unanswered', help: 'Requests to other threads that are not answered yet' });

const callsRefused = counter({
  name: 'calls_refused',
  help: 'Requests to other threads that were refused because too many wait',
});
/** Never refused: an operator must be able to reach an overloaded server. */
const operatorFlow = 'system';

/** Owners compare the deadlines of calls with it. */
const { monotonic } = systemClock;

const sweepMilliseconds = 250;
const callsPerLife = 2 ** 32;

export class Client {
  readonly placement: Placement;
  private readonly thread: Thread<unknown>;
  private readonly noteCommit: (position?: CommitPosition) => void;
  private readonly trace: Trace | undefined;
  private readonly number: number;
  private readonly waiting = new Map<number, Waiting>();
  private readonly seconds: Histogram;
  private readonly refused: Counter;
  /** Of calls, by owner. */
  private readonly queues: readonly QueueEstimate[];
  /** Of other requests, by the thread that is asked. */
  private readonly requests = new Map<number, RequestCount>();
  private measuredAt = monotonic();
  private lastCall: number;
  private closed = false;
  private readonly sweep: NodeJS.Timeout;

  /** `noteCommit` is called with the commits that answers carry; without a position, it may have been any commit. */
  constructor(
    thread: Thread<unknown>,
    placement: Placement,
    noteCommit: (position?: CommitPosition) => void,
    trace?: Trace,
  ) {
    this.thread = thread;
    this.trace = trace;
    this.placement = placement;
    this.noteCommit = noteCommit;
    this.number = thread.name.number;
    // Owners address a thread by its number: answers to an earlier thread of this number must match no call of this
    // one.
    this.lastCall = thread.life * callsPerLife;
    this.seconds = thread.metrics.histogram(callSeconds);
    thread.metrics.sampled(callsWaiting, [], () => this.waiting.size);
    this.queues = Array.from({ length: thread.counts.owner }, () => new QueueEstimate());
    this.refused = thread.metrics.counter(callsRefused);
    this.sweep = setInterval(() => this.lookAround(), sweepMilliseconds);
    this.sweep.unref();
  }

  /**
   * Calls an actor. `origin` says who caused the work, and may ask to be told what the answer invalidates.
   * Throws the Failure that the actor gave, `overloaded` or `expired` where it was not run, or `outcomeUnknown`.
   */
  call<Reply>(envelope: Envelope<Reply>, origin: Flow): Promise<Reply> {
    const { flow, cause, invalidated }: DescribedFlow = typeof origin === 'string' ? { flow: origin } : origin;
    const link = this.ownerLink(partitionOfEnvelope(this.placement, envelope));
    const queue = this.queues[link.peer.index]!;
    if ((queue.isTooLong || link.backlog.isFull) && flow !== operatorFlow) return this.refuse();
    const bytes = sizeOfPlainData(envelope.body);
    const own = cause === undefined ? undefined : (this.trace?.within(cause) ?? cause);
    const send = (expected: Answerable) =>
      link.send({ type: 'call', envelope, flow, bytes, ...expected, ...(own !== undefined && { cause: own }) }, bytes);
    const traced = cause === undefined || own === undefined ? undefined : { cause, own };
    return this.request<Reply>(link, queue, send, invalidated, traced);
  }

  /** How long a call to the owner with the least to do would wait. */
  get waitMilliseconds(): number {
    return Math.min(...this.queues.map(({ waitMilliseconds }) => waitMilliseconds));
  }

  /**
   * Subscribes to these events of an owner. Changes to anything read after this settles are announced; for
   * earlier reads that is not certain.
   */
  listen(owner: number, events?: WantedEvents): Promise<void> {
    const link = this.thread.link(ownerRole, owner);
    const send = (expected: Answerable) => link.send({ type: 'listen', events, ...expected });
    return this.request<void>(link, this.requestsTo(link), send);
  }

  /** Subscribes at every owner. An owner that is replaced meanwhile is left to the handler of the replacement. */
  async listenToAll(events?: WantedEvents): Promise<void> {
    const owners = Array.from({ length: this.thread.counts.owner }, (_, owner) => owner);
    await Promise.allSettled(owners.map((owner) => this.listen(owner, events)));
  }

  /** Sends a request to a view of a partition. Throws as `call` does, or the Failure of the view. */
  control<Reply>(partition: number, view: string, request: unknown): Promise<Reply> {
    const link = this.ownerLink(partition);
    if (link.backlog.isFull) return this.refuse();
    const bytes = sizeOfPlainData(request);
    const send = (expected: Answerable) => link.send({ type: 'control', partition, view, request, ...expected }, bytes);
    return this.admitted<Reply>(link, send);
  }

  /** Retries or drops dead letters of a partition, `lettersPerOrderMax` at a time. */
  letters(partition: number, order: LetterOrder): Promise<LetterOutcome> {
    const link = this.ownerLink(partition);
    const send = (expected: Answerable) => link.send({ type: 'letters', partition, order, ...expected });
    return this.request<LetterOutcome>(link, this.requestsTo(link), send);
  }

  /** This thread could not decode the value of this key: its owner sets it aside, now or when it is met again. */
  damageMet(partition: number, key: Uint8Array): void {
    const link = this.ownerLink(partition);
    if (!link.backlog.isFull) link.send({ type: 'damaged', partition, key });
  }

  /** Sends a request to a service of another thread without partitions. Throws as `call` does. */
  ask<Reply>(role: string, index: number, topic: string, request: unknown): Promise<Reply> {
    const link = this.thread.link(role, index);
    return this.admitted<Reply>(link, (expected) => link.send({ type: 'ask', topic, request, ...expected }));
  }

  replied({ handle, result, position }: Extract<ThreadMessage, { type: 'reply' }>): void {
    this.noteCommit(position);
    const waiting = this.waiting.get(handle[2]);
    if (waiting === undefined) return;
    this.waiting.delete(handle[2]);
    waiting.queue.ended(true);
    this.seconds.observe((monotonic() - waiting.deadline + threadLimits.callDeadlineMilliseconds) / 1_000);
    if (handle[3] === true) waiting.invalidated?.();
    if (result.ok) {
      this.ended(waiting);
      waiting.resolve(result.value);
    } else this.failed(waiting, fromWireFailure(result.failure));
  }

  /** The peer was replaced: nobody will answer the requests to it. */
  peerReplaced(link: Link): void {
    for (const [call, waiting] of this.waiting) {
      if (waiting.link.peer.number !== link.peer.number) continue;
      this.waiting.delete(call);
      waiting.queue.ended(false);
      this.failed(waiting, new Failure('outcomeUnknown'));
    }
  }

  close(): void {
    this.closed = true;
    clearInterval(this.sweep);
    for (const waiting of this.waiting.values()) this.failed(waiting, new Failure('outcomeUnknown'));
    this.waiting.clear();
  }

  private ownerLink(partition: number): Link {
    return this.thread.link(ownerRole, this.placement.ownerOf(partition));
  }

  /** A request that is no call, and that may be refused. */
  private admitted<Reply>(link: Link, send: (expected: Answerable) => void): Promise<Reply> {
    const requests = this.requestsTo(link);
    return requests.isTooLong ? this.refuse() : this.request<Reply>(link, requests, send);
  }

  private requestsTo(link: Link): RequestCount {
    const peer = link.peer.number;
    let requests = this.requests.get(peer);
    if (requests === undefined) {
      requests = new RequestCount();
      this.requests.set(peer, requests);
    }
    return requests;
  }

  private refuse(): Promise<never> {
    this.refused.add();
    return Promise.reject(overloadRefusal);
  }

  private request<Reply>(
    link: Link,
    queue: Waiting['queue'],
    send: (expected: Answerable) => void,
    invalidated?: () => void,
    traced?: TracedCall,
  ): Promise<Reply> {
    this.lastCall += 1;
    const call = this.lastCall;
    return new Promise<Reply>((resolve, reject) => {
      if (this.closed) {
        reject(new Failure('overloaded'));
        return;
      }
      const now = monotonic();
      const deadline = now + threadLimits.callDeadlineMilliseconds;
      queue.asked();
      const answered = resolve as (value: unknown) => void;
      this.waiting.set(call, { link, queue, deadline, invalidated, traced, resolve: answered, reject });
      send({ replyTo: [this.thread.boot, this.number, call], deadline: now + threadLimits.callBeginMilliseconds });
    });
  }

  private lookAround(): void {
    const now = monotonic();
    for (const queue of this.queues) queue.measure(now - this.measuredAt);
    this.measuredAt = now;
    this.expire();
  }

  private expire(): void {
    const now = monotonic();
    // Calls are numbered in the order of their deadlines.
    for (const [call, waiting] of this.waiting) {
      if (waiting.deadline > now) return;
      this.waiting.delete(call);
      waiting.queue.ended(false);
      this.failed(waiting, new Failure('outcomeUnknown'));
    }
  }

  private failed(waiting: Waiting, failure: Failure): void {
    this.ended(waiting, failure);
    waiting.reject(failure);
  }

  private ended({ traced, deadline }: Waiting, failure?: Failure): void {
    if (traced === undefined) return;
    const beganAt = deadline - threadLimits.callDeadlineMilliseconds;
    const attributes = failure === undefined ? {} : { 'error.type': errorTypeOf(failure) };
    const { cause, own } = traced;
    this.trace?.step(cause, { span: { name: 'call', kind: 'client', beganAt, own, attributes } });
  }
}
