/**
 * A partition: a set of slots, one writer, one log. Everything that changes state runs through here: calls from gateways,
 * frames from other partitions, timers and answers of effects.
 *
 *   arrivals -> turns -> filling batch -> (one batch in flight) -> commit -> replies, frames, events, effects
 *
 * INVARIANTS
 * 1. One batch is in flight at a time. A turn reads itself, the filling batch, the batch in flight, the snapshot.
 * 2. Nothing a turn produced leaves before the commit of its batch (the gate).
 * 3. When an append fails or its outcome is unknown, everything after the last known commit is dropped, waiting callers
 *    hear that the outcome is unknown, and the partition opens again from disk.
 */

import { pack, unpack } from '../codec.ts';
import type { ActorImplementation, Envelope } from '../contract.ts';
import { Failure } from '../errors.ts';
import type { Audience, EventBatch } from '../events/event.ts';
import type { LetterOrder } from '../letters.ts';
import { partitionLimits } from '../limits.ts';
import type { Frame, PartitionPorts, Placement } from '../ports.ts';
import { assertCatalogue } from '../storage/keyspace.ts';
import {
  effects,
  inbox,
  machineKeyspaces,
  meta,
  type ReplyHandle,
  type StoredMessage,
  timers,
} from '../storage/machine.ts';
import { type Reader, SnapshotReader } from '../storage/reader.ts';
import type { Batch } from './batch.ts';
import { DueTimers } from './due-timers.ts';
import { Fifo } from './fifo.ts';
import { IdSource } from './id-source.ts';
import { IncomingChannels } from './incoming.ts';
import { Mailboxes, type Work } from './mailboxes.ts';
import { OutgoingChannels } from './outgoing.ts';
import { EventRetention } from './retention.ts';
import { Staging } from './staging.ts';
import { refused, Turns, workInInbox } from './turns.ts';
import type { PartitionView } from './view.ts';

export interface PartitionOptions {
  number: number;
  placement: Placement;
  actors: readonly ActorImplementation[];
  /** The domain's keyspaces; the machine's own are added. */
  keyspaces: readonly { readonly number: number; readonly name: string }[];
  views?: readonly PartitionView[];
  ports: PartitionPorts;
}

export interface IncomingCall {
  envelope: Envelope;
  flow: string;
  replyTo: ReplyHandle;
}

export class Partition {
  readonly number: number;
  /** Reads through the layers: what a turn that began now would see. */
  readonly reader: Reader;
  private readonly placement: Placement;
  private readonly ports: PartitionPorts;
  private readonly views: readonly PartitionView[];
  private readonly staging: Staging;
  private readonly mailboxes = new Mailboxes();
  private readonly dueTimers: DueTimers;
  private readonly ids = new IdSource();
  private readonly turns: Turns;
  private readonly outgoing: OutgoingChannels;
  private readonly incoming = new IncomingChannels();
  private readonly retention = new EventRetention();
  private readonly answers = new Fifo<{ sequence: number; answer: unknown }>();
  private publishedCommit = 0;
  private wishedWakeAt = Number.POSITIVE_INFINITY;
  private pumpRequested = false;
  private failuresInRow = 0;
  /** Resting after appends that failed; ended by `wake`. */
  private resting = false;
  private closing: (() => void) | undefined;

  constructor(options: PartitionOptions) {
    const { number, placement, actors, keyspaces, ports } = options;
    assertCatalogue([...machineKeyspaces, ...keyspaces]);
    this.number = number;
    this.placement = placement;
    this.ports = ports;
    this.views = options.views ?? [];
    this.staging = new Staging(ports.log.reader);
    this.reader = this.staging.reader;
    this.outgoing = new OutgoingChannels(number, this.reader);
    this.dueTimers = new DueTimers(this.reader);
    const { staging, mailboxes, dueTimers, ids } = this;
    this.turns = new Turns({ partition: number, placement, actors, ports, staging, mailboxes, dueTimers, ids });
  }

  /** Reads what an earlier run left and takes up its work. */
  open(): void {
    this.mailboxes.clear();
    this.answers.clear();
    this.turns.clear();
    this.staging.open();
    this.ids.open(this.staging.meta.idMillisecondsMax);
    this.publishedCommit = this.staging.meta.commit;
    this.incoming.open(this.reader);
    this.retention.open(this.reader);
    for (const { key, value } of this.reader.range(inbox, []))
      this.mailboxes.addDurable(workInInbox(value, key[0], pack(value).byteLength));
    this.dueTimers.open();
    for (const view of this.views) view.opened(this.reader, this.publishedCommit);
    const others = Array.from({ length: this.placement.partitions }, (_, number) => number).filter(
      (number) => number !== this.number,
    );
    this.outgoing.open(others);
    this.send(this.outgoing.dispatched(this.ports.clock.now()));
    this.repeatEffects();
    this.requestPump();
  }

  /** The commit whose events were last published. */
  get commit(): number {
    return this.publishedCommit;
  }

  /** True when nothing waits, runs or is in flight; frames may still be unacknowledged elsewhere. */
  get isIdle(): boolean {
    const { inFlight, filling } = this.staging;
    return inFlight === undefined && filling.isEmpty && !this.hasWork(this.ports.clock.now());
  }

  get isSettled(): boolean {
    return this.isIdle && this.outgoing.resendAt(this.ports.clock.now()) === undefined;
  }

  submit(call: IncomingCall): void {
    if (this.closing !== undefined || this.outgoing.isFull || !this.mailboxes.offerCall(call)) {
      this.refuse(call);
      return;
    }
    this.requestPump();
  }

  /** What the operator wants done with dead letters; the outcome is answered after the commit. */
  orderLetters(order: LetterOrder, replyTo: ReplyHandle): void {
    if (this.closing !== undefined) {
      this.refuse({ replyTo });
      return;
    }
    const value = this.turns.runLetters(order);
    this.staging.filling.replies.push({ handle: replyTo, result: { ok: true, value } });
    this.requestPump();
  }

  receive(frame: Frame): void {
    const again = this.incoming.offer(frame);
    if (again !== undefined) this.ports.acknowledge(frame.source, this.number, again);
    if (this.incoming.hasWork) this.requestPump();
  }

  acknowledged(destination: number, sequence: number): void {
    this.send(this.outgoing.acknowledged(destination, sequence, this.ports.clock.now()));
  }

  effectAnswered(sequence: number, answer: unknown): void {
    this.answers.push({ sequence, answer });
    this.requestPump();
  }

  /** The effects' thread was replaced: whatever is on disk and not answered is asked again. */
  repeatEffects(): void {
    for (const { key, value } of new SnapshotReader(this.staging.snapshot).range(effects, [])) {
      if (this.reader.get(effects, key) !== undefined)
        this.ports.runEffect(this.number, key[0], value.effect, value.request);
    }
  }

  /** Frames that another partition may never have seen are sent again at once. */
  resend(): void {
    this.send(this.outgoing.underWay(this.ports.clock.now()));
    this.wishWake();
  }

  /** A word to a view, from the thread of this number; answered at once, never durable. */
  control(view: string, request: unknown, caller = 0): unknown {
    const found = this.views.find((candidate) => candidate.name === view);
    if (found === undefined) throw new Error(`there is no view ${view}`);
    return found.control(request, caller);
  }

  /** Another thread has taken the place of one that spoke to the views. */
  callerReplaced(caller: number): void {
    for (const view of this.views) view.callerReplaced?.(caller);
  }

  /** The time asked for with `wakeAt` has come. */
  wake(): void {
    this.wishedWakeAt = Number.POSITIVE_INFINITY;
    this.resting = false;
    this.send(this.outgoing.overdue(this.ports.clock.now()));
    this.requestPump();
  }

  /** Runs nothing more, commits what has run, refuses the calls that wait, then closes the log. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.closing = resolve;
      this.refuseWaitingCalls();
      this.requestPump();
    });
    await this.ports.log.close();
  }

  private send(frames: readonly Frame[]): void {
    for (const frame of frames) this.ports.sendFrame(frame);
  }

  private requestPump(): void {
    if (this.pumpRequested) return;
    this.pumpRequested = true;
    this.ports.defer(() => {
      this.pumpRequested = false;
      this.pump();
    });
  }

  private hasWork(now: number): boolean {
    return this.mailboxes.size > 0 || this.incoming.hasWork || this.answers.length > 0 || this.dueTimers.nextAt <= now;
  }

  private hasRoom(): boolean {
    const { filling } = this.staging;
    return filling.bytes < partitionLimits.batchBytesMax && filling.turns < partitionLimits.batchTurnsMax;
  }

  private pump(): void {
    if (this.closing !== undefined) {
      this.commitIfPossible();
      if (this.staging.inFlight === undefined) this.closing();
      return;
    }
    if (this.resting) return;
    const now = this.ports.clock.now();
    const { filling } = this.staging;
    const last = filling.turns + partitionLimits.sliceTurnsMax;
    while (filling.turns < last && this.hasRoom() && this.runRound(now));
    this.commitIfPossible();
    if (this.hasRoom() && this.hasWork(now)) this.requestPump();
    else this.wishWake();
  }

  /** One timer, one frame, one answer and some messages in turn, so that none of them starves the others. */
  private runRound(now: number): boolean {
    let ran = this.runTimer(now);
    if (this.runFrame()) ran = true;
    if (this.runAnswer()) ran = true;
    for (let count = 0; count < partitionLimits.messagesPerRound && this.hasRoom(); count += 1) {
      const work = this.mailboxes.take();
      if (work === undefined) break;
      if (work.durable !== true && this.mailboxes.isInboxOverflowing) this.refuse(work);
      else this.turns.runWork(work);
      ran = true;
    }
    return ran;
  }

  private runTimer(now: number): boolean {
    const timer = this.dueTimers.take(now);
    if (timer === undefined) return false;
    this.staging.filling.delete(timers, timer.key);
    this.turns.runTimer(timer.value);
    return true;
  }

  /**
   * While the inbox is full frames stay where they are: some here, some under way, the rest in the sender's outbox. That
   * ends by itself, also where partitions send to each other in a circle: taking a message out of the inbox asks for
   * nothing but a commit here. What its turn tells others goes to the outbox, which takes it however long it is, and
   * whether a frame is read or acknowledged somewhere else is never waited for. For that reason a long outbox refuses
   * calls and not frames: two partitions that stopped reading each other for their outboxes would both wait for ever.
   */
  private runFrame(): boolean {
    if (this.mailboxes.isInboxFull) return false;
    const frame = this.incoming.take(this.staging.filling);
    if (frame === undefined) return false;
    this.turns.runDurable(unpack(frame.bytes) as StoredMessage[], frame.recovered, partitionLimits.frameRunsMax);
    return true;
  }

  private runAnswer(): boolean {
    const answered = this.answers.shift();
    if (answered === undefined) return false;
    const key: [number] = [answered.sequence];
    const pending = this.reader.get(effects, key);
    if (pending === undefined) return true;
    this.staging.filling.delete(effects, key);
    this.turns.runDurable([[pending.kind, pending.key, pending.message, answered.answer, pending.flow]], false, 1);
    return true;
  }

  private commitIfPossible(): void {
    const { staging } = this;
    if (staging.inFlight !== undefined || staging.filling.isEmpty) return;
    const batch = staging.nextBatch();
    if (!batch.hasWrites && this.ids.millisecondsMax <= staging.meta.idMillisecondsMax) {
      // Nothing to make durable and nothing in flight: what these turns read is on disk.
      this.release(batch);
      return;
    }
    this.seal(batch);
    staging.inFlight = batch;
    this.ports.log.append(batch.encode(), (error) => {
      if (error === undefined) this.committed(batch);
      else this.fail(batch, error);
    });
  }

  private seal(batch: Batch): void {
    const now = this.ports.clock.now();
    const { meta: counters } = this.staging;
    this.outgoing.seal(batch);
    this.incoming.seal(batch);
    counters.commit += 1;
    batch.commit = counters.commit;
    counters.eventBytes += batch.putEvents(now);
    this.retention.seal(batch, counters, now);
    counters.idMillisecondsMax = this.ids.millisecondsMax;
    batch.put(meta, [0], counters);
  }

  private committed(batch: Batch): void {
    this.failuresInRow = 0;
    this.staging.landed();
    this.publishedCommit = batch.commit;
    this.release(batch);
    this.commitIfPossible();
    this.requestPump();
  }

  /** The gate opens. */
  private release(batch: Batch): void {
    if (batch.events.length > 0) {
      const published: EventBatch = { partition: this.number, commit: batch.commit, events: batch.events };
      const audiences = this.views.flatMap((view) => this.follow(view, published));
      this.ports.publish(published, audiences);
    }
    for (const { handle, result } of batch.replies) this.ports.reply(handle, result);
    this.send(this.outgoing.released(batch, this.ports.clock.now()));
    this.incoming.released(batch);
    for (const [source, sequence] of batch.taken) this.ports.acknowledge(source, this.number, sequence);
    for (const { sequence, effect, request } of batch.effects)
      this.ports.runEffect(this.number, sequence, effect, request);
    this.wishWake();
  }

  /** A view that throws is at fault alone: what is committed leaves all the same, and the view starts anew. */
  private follow(view: PartitionView, published: EventBatch): readonly Audience[] {
    try {
      return view.committed(published);
    } catch (error) {
      this.ports.report({ level: 'error', message: `the view ${view.name} failed`, error });
      view.opened(this.reader, published.commit);
      return [];
    }
  }

  private fail(batch: Batch, error: Error): void {
    this.ports.report({ level: 'error', message: `partition ${this.number} could not commit`, error });
    const unknown = refused(new Failure('outcomeUnknown'));
    for (const lost of [batch, this.staging.filling]) {
      for (const { handle } of lost.replies) this.ports.reply(handle, unknown);
      for (const handle of lost.handedOn) this.ports.reply(handle, unknown);
    }
    this.refuseWaitingCalls();
    this.open();
    this.failuresInRow += 1;
    if (this.failuresInRow > 1) this.rest();
  }

  private refuseWaitingCalls(): void {
    for (const call of this.mailboxes.takeCalls()) this.refuse(call);
  }

  /** Calls have somebody to tell. */
  private refuse({ replyTo }: Pick<Work, 'replyTo'>): void {
    this.ports.reply(replyTo!, refused(new Failure('overloaded')));
  }

  /** A disk that keeps failing is not tried in a circle. */
  private rest(): void {
    const { failurePauseMilliseconds, failurePauseMillisecondsMax } = partitionLimits;
    const pause = Math.min(failurePauseMilliseconds * 2 ** (this.failuresInRow - 2), failurePauseMillisecondsMax);
    this.resting = true;
    this.wishedWakeAt = this.ports.clock.now() + pause;
    this.ports.wakeAt(this.wishedWakeAt);
  }

  private wishWake(): void {
    if (this.resting || this.closing !== undefined) return;
    const resendAt = this.outgoing.resendAt(this.ports.clock.now()) ?? Number.POSITIVE_INFINITY;
    // A batch without room runs no timer: the commit that makes room looks at them again.
    const timerAt = this.hasRoom() ? this.dueTimers.nextAt : Number.POSITIVE_INFINITY;
    const at = Math.min(timerAt, resendAt);
    if (at >= this.wishedWakeAt) return;
    this.wishedWakeAt = at;
    this.ports.wakeAt(at);
  }
}
