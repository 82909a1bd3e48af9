/** What is sent to one host: its queue, its health, what is in progress, its stored progress. */
import type { LaneProgress, LaneState } from '../../actors/partition/partition.records.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { DeliveryError, RefusedDelivery } from '../../services/delivery-lanes.ts';
import { dateOf, momentOf } from './dates.ts';
import type { Job } from './job.ts';
import { type KnownHealth, LaneHealth } from './lane-health.ts';
import { LaneQueue, type LogPosition } from './lane-queue.ts';
import { laneLimits } from './limits.ts';
import type { LaneHost } from './log.ts';
import type { LogEntries } from './log-entries.ts';
import { longestWaitMilliseconds } from './retry-policy.ts';

/** The part of the log's reader that a lane needs. */
export interface LaneLog extends LogPosition {
  readonly partition: number;
  readonly entries: LogEntries;
  /** The lane has room again for entries that it left in the log. */
  readFor(lane: Lane): void;
}

export interface LaneOptions {
  readonly log: LaneLog;
  readonly number: number;
  readonly host: string;
  /** After an earlier run. */
  readonly known: LaneState | undefined;
  readonly clock: Clock;
}

/** Health after an earlier run. Even if the wall clock was set back, no wait is longer than the failures ask for. */
function healthOf({ failures, failingSince, nextAttemptAt, ...known }: LaneState, clock: Clock): KnownHealth {
  const latest = clock.monotonic() + longestWaitMilliseconds(failures);
  const next = Math.min(momentOf(clock, nextAttemptAt) ?? 0, latest);
  return {
    failures,
    failingSince: momentOf(clock, failingSince),
    nextAttemptAt: next,
    // Older versions have not stored it: the host may have asked for the whole pause.
    earliestAttemptAt: Math.min(momentOf(clock, known.earliestAttemptAt) ?? next, next),
    shortenedWaits: known.shortenedWaits,
  };
}

/** Times are moments of the monotonic clock. */
export class Lane implements LaneHost {
  readonly host: string;
  /** The host's number in its partition. */
  readonly number: number;
  readonly log: LaneLog;
  readonly queue: LaneQueue;
  readonly health: LaneHealth;
  /** Entries in progress, including those with targets still to be served. */
  readonly jobs: Job[] = [];
  /** The targets that an interrupted entry still has to reach, by its sequence. */
  readonly unserved = new Map<number, readonly string[]>();
  /** The newest entry of the log that was offered to it. */
  lastOffered = 0;
  /** Running requests. */
  underWay = 0;
  /** Whether it is in the ready list. */
  isReady = false;
  /** Whether it waits until an entry is prepared. */
  isPreparing = false;
  /** Has unsaved progress. */
  hasMoved = false;
  alarmAt = Number.POSITIVE_INFINITY;
  /** Requests that the host refused since the start, and the last of them. */
  refusals = 0;
  lastRefusal: RefusedDelivery | undefined;
  /** The last request at which the host failed, since the start. */
  lastError: DeliveryError | undefined;
  /** When something was last delivered. */
  deliveredAt: number | undefined;
  /** Staff have stopped deliveries to the host: nothing is sent. */
  isHeld = false;
  /** The targets that worked last and that failed last. */
  private workingTarget: string | undefined;
  private failedTarget: string | undefined;
  /** Whether all failures since the host worked were answers of its software. */
  private hasAnsweredAll = false;
  private connections = 0;
  private lastUsedAt = Number.NEGATIVE_INFINITY;

  constructor({ log, number, host, known, clock }: LaneOptions) {
    this.log = log;
    this.number = number;
    this.host = host;
    this.queue = new LaneQueue(log, known?.cursor ?? 0, known?.ahead ?? []);
    this.health = new LaneHealth(known && healthOf(known, clock));
    this.deliveredAt = momentOf(clock, known?.deliveredAt);
  }

  /** Whether a request could be sent now. */
  canSend(now: number): boolean {
    if (this.isPreparing || this.isHeld) return false;
    const hasWork = this.queue.hasWaiting || this.queue.delayedUntil <= now || this.hasUnservedJob;
    return hasWork && this.health.allows(now, this.underWay);
  }

  /** When to examine it again although nothing happens; Infinity for never. */
  wakeAt(now: number): number {
    const { queue, health } = this;
    if (this.isHeld) return Number.POSITIVE_INFINITY;
    const workAt = queue.hasWaiting || this.hasUnservedJob ? now : queue.delayedUntil;
    return workAt === Number.POSITIVE_INFINITY ? workAt : Math.max(workAt, health.nextAttemptAt);
  }

  /** Whether the next request needs a new connection, as far as can be known. */
  needsConnection(now: number): boolean {
    if (now - this.lastUsedAt > laneLimits.connectionIdleMilliseconds) this.connections = this.underWay;
    return this.underWay >= this.connections;
  }

  /**
   * Until when the next request waits for a connection that is in use, rather than open another one: as long as few wait,
   * and the host answers quickly. Undefined where it does not.
   */
  sharesUntil(now: number): number | undefined {
    if (this.underWay === 0 || !this.needsConnection(now)) return undefined;
    const unserved = this.jobs.reduce((sum, { targets, next }) => sum + targets.length - next, 0);
    if (this.queue.waiting + unserved > this.underWay * laneLimits.waitingPerConnectionMax) return undefined;
    const until = this.lastUsedAt + laneLimits.sharedMilliseconds;
    return now < until ? until : undefined;
  }

  /** A request begins. */
  started(now: number): void {
    this.underWay += 1;
    this.lastUsedAt = now;
    if (this.connections < this.underWay) this.connections = this.underWay;
  }

  /** A request has ended; without a response its connection is lost. */
  ended(now: number, wasAnswered: boolean): void {
    this.underWay -= 1;
    this.lastUsedAt = now;
    if (!wasAnswered) this.connections = Math.max(0, this.connections - 1);
  }

  /** The host has refused a request. */
  refused(now: number, status: number): void {
    this.refusals += 1;
    this.lastRefusal = { status, at: now };
  }

  /** The host has failed at a request, or asks for a pause. */
  noteError(error: DeliveryError): void {
    this.lastError = error;
  }

  /** Call before a request counts as a failure of the host; `wasAnswered` by its software. */
  failed(target: string, wasAnswered: boolean): void {
    this.hasAnsweredAll = wasAnswered && (this.hasAnsweredAll || !this.health.isFailing);
    this.failedTarget = target;
  }

  /** Whether the host may be working, and only what was tried is at fault. */
  get maybeWorks(): boolean {
    return this.health.isFailing && this.hasAnsweredAll;
  }

  /** A request has succeeded. */
  succeeded(target: string, now: number): void {
    this.deliveredAt = now;
    this.workingTarget = target;
  }

  /** Nothing that the host did wrong counts any more. */
  clear(): void {
    this.health.clear();
    this.refusals = 0;
    this.lastRefusal = undefined;
    this.lastError = undefined;
  }

  /**
   * In the order of attempts: the target that worked last, then those after the one that failed last. Where only some
   * targets of a host fail, the first request shows that the host works.
   */
  inOrder(targets: readonly string[]): readonly string[] {
    if (targets.length < 2 || this.failedTarget === undefined) return targets;
    const next = targets.indexOf(this.failedTarget) + 1;
    const working = targets.filter((target) => target === this.workingTarget);
    const others = [...targets.slice(next), ...targets.slice(0, next)];
    return [...working, ...others.filter((target) => target !== this.workingTarget)];
  }

  progress(clock: Clock): LaneProgress {
    const { failures, failingSince, nextAttemptAt, earliestAttemptAt, shortenedWaits } = this.health;
    const { deliveredAt } = this;
    return {
      host: this.number,
      ...this.queue.progress(),
      failures,
      ...(deliveredAt !== undefined && { deliveredAt: dateOf(clock, deliveredAt) }),
      ...(failures > 0 && {
        failingSince: dateOf(clock, failingSince),
        nextAttemptAt: dateOf(clock, nextAttemptAt),
        earliestAttemptAt: dateOf(clock, earliestAttemptAt),
        shortenedWaits,
      }),
    };
  }

  private get hasUnservedJob(): boolean {
    return this.jobs.some((job) => job.next < job.targets.length);
  }
}
