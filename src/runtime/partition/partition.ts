/**
 * A partition: a set of slots with one writer and one log. Everything that changes state runs through here: calls of
 * gateways, frames of other partitions, timers, and answers of effects.
 *
 *   arrivals -> turns -> filling batch -> (batches under way) -> commit -> replies, frames, events, effects
 *
 * INVARIANTS
 * 1. A turn reads its own writes, then the filling batch, then the batches under way (newest first), then the snapshot.
 * 2. When the log refuses an append, it is asked where it stands before anything else runs. Batches that are in the log
 *    land as usual. If one is not, everything after it is dropped, its callers get a failure, and the partition is
 *    opened again from disk.
 * 3. A partition whose log was opened by another owner serves nothing any more, and reports it.
 */

import type { ActorImplementation, ActorKey } from '../contract.ts';
import { Failure } from '../errors.ts';
import { partitionLimits } from '../limits.ts';
import type { Acknowledgement, Frame, PartitionPorts, Placement } from '../ports.ts';
import { type AnyKeyspace, assertCatalogue } from '../storage/keyspace.ts';
import type { LogTail } from '../storage/log.ts';
import { inboxRecords, machineKeyspaces, type ReplyHandle } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import { Alarm } from './alarm.ts';
import { AskedEffects } from './asked-effects.ts';
import { conditionName, conditionOf } from './condition.ts';
import { DamagedRecords } from './damaged-records.ts';
import { DeadLetters } from './dead-letters.ts';
import { DueTimers } from './due-timers.ts';
import { ExcessLetters } from './excess-letters.ts';
import { Gate } from './gate.ts';
import { IdSource } from './id-source.ts';
import { IncomingChannels } from './incoming.ts';
import { type IncomingOrder, LetterOrders } from './letter-orders.ts';
import { loadOf, type PartitionLoad } from './load.ts';
import { Mailboxes, type Work } from './mailboxes.ts';
import { OutgoingChannels } from './outgoing.ts';
import { Postponed } from './postponed.ts';
import { Recovery } from './recovery.ts';
import { type Refusal, Refusals } from './refusals.ts';
import { Rounds } from './rounds.ts';
import { SliceTime } from './slice-time.ts';
import { Staging } from './staging.ts';
import { Turns } from './turns.ts';
import { type PartitionView, Views } from './views.ts';

export interface PartitionOptions {
  number: number;
  placement: Placement;
  actors: readonly ActorImplementation[];
  /** The keyspaces of the domain; the runtime's own are added. */
  keyspaces: readonly AnyKeyspace[];
  views?: readonly PartitionView[];
  /** For tests: a handler fails that changes an object it shares. This walks through everything that a turn touches. */
  isStrict?: boolean;
  /** Concurrent appends; more than one for remote logs. */
  appendsMax?: number | undefined;
  /** Memory for empty scopes (storage/empty-scopes.ts), beyond partitionLimits.emptyScopesBytesMin. */
  moreEmptyScopesBytes?: number | undefined;
  ports: PartitionPorts;
}

export interface IncomingCall extends Work {
  readonly replyTo: ReplyHandle;
  /** The latest time of the monotonic clock at which it may begin; infinite where the caller waits for ever. */
  readonly deadline: number;
  readonly bytes: number;
}

export class Partition {
  readonly number: number;
  /** Reads what a turn that began now would see. */
  readonly reader: Reader;
  private readonly placement: Placement;
  private readonly ports: PartitionPorts;
  private readonly views: Views;
  private readonly alarm: Alarm;
  private readonly staging: Staging;
  private readonly recovery: Recovery;
  private readonly mailboxes = new Mailboxes();
  private readonly letterOrders = new LetterOrders();
  private readonly dueTimers: DueTimers;
  private readonly ids: IdSource;
  private readonly turns: Turns;
  private readonly outgoing: OutgoingChannels;
  private readonly incoming: IncomingChannels;
  private readonly asked: AskedEffects;
  private readonly letters: DeadLetters;
  private readonly damaged: DamagedRecords;
  private readonly refusals: Refusals;
  private readonly sliceTime: SliceTime;
  private readonly rounds: Rounds;
  private readonly gate: Gate;
  private pumpRequested = false;
  private closing: (() => void) | undefined;

  constructor(options: PartitionOptions) {
    const { number, placement, actors, keyspaces, ports } = options;
    assertCatalogue([...machineKeyspaces, ...keyspaces]);
    this.number = number;
    this.placement = placement;
    this.ports = ports;
    this.alarm = new Alarm(ports);
    this.staging = new Staging(ports.log.reader, options.moreEmptyScopesBytes, (key) => this.damageMet(key));
    this.reader = this.staging.reader;
    this.views = new Views(options.views ?? [], this.staging.committedReader, ports.report);
    this.outgoing = new OutgoingChannels(number, this.reader, ports.report);
    this.incoming = new IncomingChannels(number, ports.report);
    this.dueTimers = new DueTimers(this.reader);
    this.ids = new IdSource(ports.report);
    this.asked = new AskedEffects(number, ports, this.staging.committedReader);
    this.letters = new DeadLetters(this.staging, ports.clock);
    const { letters } = this;
    this.damaged = new DamagedRecords({ partition: number, keyspaces, staging: this.staging, letters, ports });
    const { staging, mailboxes, dueTimers, ids, outgoing, incoming, asked, damaged, views, alarm } = this;
    const postponed = new Postponed(mailboxes, ports);
    this.sliceTime = new SliceTime(ports.clock);
    const { sliceTime } = this;
    this.turns = new Turns({
      ...{
        partition: number,
        placement,
        actors,
        ports,
        staging,
        mailboxes,
        dueTimers,
        ids,
        postponed,
        asked,
        letters,
        damaged,
        sliceTime,
      },
      isLagging: (destination) => outgoing.isLagging(destination),
      isStrict: options.isStrict ?? false,
    });
    const refuse = (call: Pick<Work, 'replyTo'>, reason: Refusal) => this.refusals.refuse(call, reason);
    this.refusals = new Refusals(mailboxes, this.letterOrders, ports);
    const { refusals, letterOrders } = this;
    this.recovery = new Recovery({
      ...{ partition: number, ports, staging, mailboxes, postponed, refusals, alarm },
      appendsMax: options.appendsMax ?? partitionLimits.appendsUnderWayMax,
      landed: (batch) => this.gate.landed(batch),
      read: (tail) => this.read(tail),
      proceed: () => this.requestPump(),
    });
    const { recovery } = this;
    this.gate = new Gate({
      ...{
        partition: number,
        ports,
        staging,
        recovery,
        refusals,
        ids,
        outgoing,
        incoming,
        asked,
        views,
        alarm,
        damaged,
      },
      excessLetters: new ExcessLetters(staging, letters, ports),
      lettersArchived: (drop) => this.lettersArchived(drop),
      released: () => this.wishWake(),
      proceed: () => this.requestPump(),
    });
    this.rounds = new Rounds({
      ...{
        clock: ports.clock,
        staging,
        mailboxes,
        letterOrders,
        dueTimers,
        incoming,
        postponed,
        asked,
        turns: this.turns,
      },
      ...{ sliceTime, refuse },
    });
  }

  /**
   * Opens the log, reads what an earlier run left and starts working. Settles after the first attempt; a failed one is
   * repeated.
   */
  open(epoch: number): Promise<void> {
    return this.recovery.open(epoch);
  }

  private read(tail: LogTail): void {
    this.staging.open(tail);
    this.letters.open();
    this.damaged.open();
    this.ids.open(this.staging.meta);
    this.gate.open(tail.position);
    this.incoming.open(this.reader);
    for (const { key, value } of this.reader.range(inboxRecords, [])) this.turns.resume(key[0], value);
    this.dueTimers.open();
    this.views.opened(this.gate.commit);
    this.outgoing.open(this.placement.partitions);
    this.gate.send(this.outgoing.dispatched(this.ports.clock.monotonic()));
    this.asked.open(this.staging.meta.effectSequence);
  }

  /** The last commit whose replies and events have left. */
  get commit(): number {
    return this.gate.commit;
  }

  get load(): PartitionLoad {
    const { mailboxes, staging, outgoing, incoming, asked, letters, damaged, recovery } = this;
    const parts = { mailboxes, staging, outgoing, incoming, asked, letters, damaged, recovery };
    return loadOf(parts, this.ports.clock.monotonic());
  }

  /** True when nothing waits, runs or is being committed; sent frames may still be unacknowledged. */
  get isIdle(): boolean {
    const { underWay, filling } = this.staging;
    if (underWay.length > 0 || !filling.isEmpty || !this.isServing || this.mailboxes.hasResting) return false;
    return !this.damaged.hasWork && !this.rounds.hasWork(this.ports.clock.monotonic());
  }

  get isSettled(): boolean {
    return this.isIdle && this.outgoing.resendAt === undefined;
  }

  /** False while memory may differ from disk, or another owner has the log. */
  get isServing(): boolean {
    return this.recovery.isServing;
  }

  submit(call: IncomingCall): void {
    if (!this.isServing && !this.recovery.isOpening) this.refusals.refuse(call, 'storageUnavailable');
    else if (this.alarm.isResting) this.refusals.refuse(call, 'storageUnavailable');
    else if (this.closing !== undefined || !this.mailboxes.offerCall(call)) this.refusals.refuse(call);
    else this.requestPump();
  }

  /** Carries out the operator's order on dead letters; the outcome is answered after the commit. */
  orderLetters(incoming: IncomingOrder): void {
    if (this.closing !== undefined || !this.isServing || !this.letterOrders.offer(incoming))
      this.refusals.refuse(incoming);
    else this.requestPump();
  }

  /** A thread that reads this partition could not decode the value of this key. */
  damageMet(key: Uint8Array): void {
    this.damaged.met(key);
    this.requestPump();
  }

  receive(frame: Frame): void {
    if (!this.isServing) return;
    const again = this.incoming.offer(frame);
    if (again !== undefined) this.gate.acknowledge(frame.source, again);
    if (this.incoming.hasWork) this.requestPump();
  }

  acknowledged(acknowledgement: Acknowledgement): void {
    // Its reads need the log, which may be closed already.
    if (this.closing !== undefined || !this.isServing) return;
    this.guarded(() => this.gate.send(this.outgoing.acknowledged(acknowledgement, this.ports.clock.monotonic())));
  }

  effectAnswered(sequence: number, answer: unknown): void {
    this.asked.answered(sequence, answer);
    this.requestPump();
  }

  effectFailed(sequence: number, reason: string): void {
    this.asked.failed(sequence, reason);
    this.requestPump();
  }

  /** The network thread that ran the effects of these actors was replaced. */
  repeatEffects(isLost: (asker: ActorKey) => boolean): void {
    this.asked.repeat(isLost);
    this.requestPump();
  }

  /** Sends frames again that another partition may never have seen. */
  resend(): void {
    if (!this.isServing) return;
    this.gate.send(this.outgoing.underWay(this.ports.clock.monotonic()));
    this.wishWake();
  }

  /** A request to a view, from the thread with this number. Answered at once; nothing of it is durable. */
  control(view: string, request: unknown, caller = 0): unknown {
    if (view === conditionName) {
      this.requestPump();
      return conditionOf(this.alarm, this.staging, this.recovery, [this.outgoing, this.incoming]);
    }
    if (this.recovery.commits.isFenced || this.recovery.isOpening) throw new Failure('storageUnavailable');
    // Recently landed batches may be missing in the snapshot.
    if (!this.isServing) this.staging.committed.reopen();
    return this.views.control(view, request, caller);
  }

  /** A thread that had sent requests to views was replaced. */
  callerReplaced(caller: number): void {
    this.views.callerReplaced(caller);
  }

  /** The time requested with `wakeIn` has passed. */
  wake(): void {
    this.alarm.rang();
    if (this.recovery.commits.isFenced) return;
    this.refusals.refuseExpired();
    if (this.closing === undefined) this.gate.send(this.outgoing.overdue(this.ports.clock.monotonic()));
    this.requestPump();
  }

  /** The wall clock was set: timers may be due now, or sooner than the partition asked to be woken. */
  clockSet(): void {
    this.requestPump();
  }

  /** Runs nothing more, commits what has run, refuses waiting calls, then closes the log. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.closing = resolve;
      this.refusals.refuseWaiting();
      this.requestPump();
    });
    await this.ports.log.close();
  }

  private requestPump(): void {
    if (this.pumpRequested) return;
    this.pumpRequested = true;
    this.ports.defer(() => {
      this.pumpRequested = false;
      this.pump();
    });
  }

  private pump(): void {
    const { recovery } = this;
    if (this.closing !== undefined) {
      this.guarded(() => this.gate.commitIfPossible());
      if (recovery.finish()) this.closing();
    } else if (!this.alarm.isResting && !recovery.goOn()) this.guarded(() => this.runSlice());
  }

  private runSlice(): void {
    const now = this.ports.clock.monotonic();
    const { filling } = this.staging;
    const last = filling.turns + partitionLimits.sliceTurnsMax;
    this.sliceTime.begin();
    this.damaged.run();
    while (filling.turns < last && this.staging.hasRoom && this.rounds.run(now) && !this.sliceTime.isOver);
    this.gate.commitIfPossible();
    if (this.staging.hasRoom && (this.damaged.hasWork || this.rounds.hasWork(now))) this.requestPump();
    else this.wishWake();
  }

  /** Letters above the bound that remain in the database meanwhile go to the file next. */
  private lettersArchived(drop: () => void): void {
    if (this.closing !== undefined || !this.isServing) return;
    this.guarded(drop);
    this.requestPump();
  }

  private guarded(work: () => void): void {
    this.recovery.guarded(work);
  }

  private wishWake(): void {
    if (this.closing !== undefined) return;
    const now = this.ports.clock.monotonic();
    const resendAt = this.outgoing.resendAt ?? Number.POSITIVE_INFINITY;
    // While the batch has no room, nothing due runs: the commit that makes room checks again.
    const workAt = this.staging.hasRoom ? this.rounds.nextAt(now) : Number.POSITIVE_INFINITY;
    this.alarm.wish(Math.min(workAt, resendAt, this.refusals.nextAt));
  }
}
