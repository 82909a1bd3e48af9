/** Chooses what runs next: rounds in which each kind of waiting work has its share. */
import { partitionLimits } from '../limits.ts';
import type { Clock } from '../ports.ts';
import { timers } from '../storage/machine.ts';
import type { AskedEffects } from './asked-effects.ts';
import type { DueTimers } from './due-timers.ts';
import type { IncomingChannels } from './incoming.ts';
import type { LetterOrders } from './letter-orders.ts';
import type { Mailboxes, Work } from './mailboxes.ts';
import type { Postponed } from './postponed.ts';
import type { Refusal } from './refusals.ts';
import type { SliceTime } from './slice-time.ts';
import type { Staging } from './staging.ts';
import type { Turns } from './turns.ts';

export interface RoundsOptions {
  readonly clock: Clock;
  readonly sliceTime: SliceTime;
  readonly staging: Staging;
  readonly mailboxes: Mailboxes;
  readonly letterOrders: LetterOrders;
  readonly dueTimers: DueTimers;
  readonly incoming: IncomingChannels;
  readonly turns: Turns;
  readonly postponed: Postponed;
  readonly asked: AskedEffects;
  /** Tells a caller that the call will not run. */
  refuse(call: Pick<Work, 'replyTo'>, reason: Refusal): void;
}

export class Rounds {
  private readonly options: RoundsOptions;

  constructor(options: RoundsOptions) {
    this.options = options;
  }

  /** `now` is the time of the monotonic clock, here and below. */
  hasWork(now: number): boolean {
    const { mailboxes, letterOrders, incoming, asked } = this.options;
    if (mailboxes.size > 0 || letterOrders.hasWork || asked.hasWork) return true;
    // A full inbox of resting messages keeps frames waiting: then they are not work.
    if (incoming.hasWork && !mailboxes.isInboxFull) return true;
    return this.nextAt(now) <= now;
  }

  /** When something is due: a resting message, an effect to repeat, or a timer unless the wall clock is set before. */
  nextAt(now: number): number {
    const { clock, dueTimers, postponed, asked } = this.options;
    const timerAt = now + Math.max(0, dueTimers.nextAt - clock.now());
    return Math.min(timerAt, postponed.nextAt, asked.nextAt);
  }

  /**
   * Asks for some effects, runs one timer, one frame, one outcome, one order about letters and some messages, so that none
   * of them starves the others. When the time of the slice is over one message still runs, so that endless frames cannot
   * starve calls. False when there was nothing to run.
   */
  run(now: number): boolean {
    const { sliceTime, staging, mailboxes, turns, refuse } = this.options;
    this.options.postponed.resume(now);
    this.options.asked.retry(now);
    let ran = this.askForEffects();
    if (this.runTimer()) ran = true;
    if (this.runFrame()) ran = true;
    if (this.runOutcome()) ran = true;
    if (this.runOrder(now)) ran = true;
    for (let count = 0; count < partitionLimits.messagesPerRound && staging.hasRoom; count += 1) {
      const work = mailboxes.take();
      if (work === undefined) break;
      if (work.deadline !== undefined && work.deadline <= now) refuse(work, 'expired');
      else if (work.durable !== true && mailboxes.isInboxOverflowing) refuse(work, 'overloaded');
      else turns.runWork(work);
      ran = true;
      if (sliceTime.isOver) break;
    }
    return ran;
  }

  private askForEffects(): boolean {
    const { asked, sliceTime } = this.options;
    let count = 0;
    while (count < partitionLimits.effectsPerRound && !(count > 0 && sliceTime.isOver) && asked.askNext()) count += 1;
    return count > 0;
  }

  private runTimer(): boolean {
    const { clock, staging, dueTimers, turns } = this.options;
    const timer = dueTimers.take(clock.now());
    if (timer === undefined) return false;
    staging.filling.delete(timers, timer.key);
    const [at, sequence] = timer.key;
    turns.runTimer(timer.value, `timer ${at} ${sequence}`);
    return true;
  }

  /**
   * While the inbox is full, frames stay where they are: some buffered here, some under way, the rest in the sender's
   * outbox. This cannot deadlock, even where partitions send to each other in a circle: running an inbox message needs
   * nothing but a commit here; what its turn sends goes to the outbox, which accepts any length, and waits for no
   * acknowledgement. For the same reason a long outbox refuses calls and not frames: two partitions that stopped
   * reading each other because of their outboxes would wait for ever.
   */
  private runFrame(): boolean {
    const { staging, mailboxes, incoming, turns } = this.options;
    if (mailboxes.isInboxFull) return false;
    const frame = incoming.take(staging.filling);
    if (frame === undefined) return false;
    turns.runFrame(frame);
    return true;
  }

  private runOutcome(): boolean {
    const { asked, turns } = this.options;
    const settled = asked.take();
    if (settled === undefined) return false;
    turns.runOutcome(settled);
    return true;
  }

  /** An order is still among those that wait, and refused with them, where its letters cannot be read. */
  private runOrder(now: number): boolean {
    const { letterOrders, staging, turns, refuse } = this.options;
    const { next } = letterOrders;
    if (next === undefined || !staging.hasRoom) return false;
    const { order, replyTo, deadline } = next;
    if (deadline <= now) refuse({ replyTo }, 'expired');
    else staging.filling.reply(replyTo, { ok: true, value: turns.runLetters(order) }, false);
    letterOrders.done();
    return true;
  }
}
