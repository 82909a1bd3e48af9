/** The deliveries to one remote host: its queue, its health, what is in progress, its stored progress. */
import type { LaneProgress } from '../../actors/partition/partition.messages.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { RefusedDelivery } from '../../services/delivery-lanes.ts';
import { dateOf, momentOf } from './dates.ts';
import type { Job } from './job.ts';
import { type KnownHealth, LaneHealth } from './lane-health.ts';
import { LaneQueue, type LogPosition } from './lane-queue.ts';
import { egressLimits } from './limits.ts';
import type { LogEntries } from './log-entries.ts';
import type { LogEntry } from './log-entry.ts';
import { longestWaitMilliseconds } from './retry-policy.ts';

/** The part of the delivery log that a lane needs. */
export interface LaneLog extends LogPosition {
  readonly partition: number;
  readonly entries: LogEntries;
  /** The inboxes of one host for a delivery, and the shared one among them. */
  targets(entry: LogEntry, host: number): { readonly inboxes: readonly string[]; readonly shared: string | undefined };
  /** The lane has room again for deliveries that it left in the log. */
  readFor(lane: Lane): void;
}

/** The state of a lane after an earlier run. Times are dates. */
export interface KnownLane {
  readonly cursor: number;
  readonly ahead: readonly number[];
  readonly failures: number;
  readonly failingSince?: number | undefined;
  readonly nextAttemptAt?: number | undefined;
  readonly earliestAttemptAt?: number | undefined;
  readonly shortenedWaits?: number | undefined;
}

export interface LaneOptions {
  readonly log: LaneLog;
  readonly number: number;
  readonly host: string;
  readonly known: KnownLane | undefined;
  readonly clock: Clock;
}

/** If the wall clock was set back meanwhile, no more is left of a wait than its failures ask for. */
function healthOf({ failures, failingSince, nextAttemptAt, ...known }: KnownLane, clock: Clock): KnownHealth {
  const latest = clock.monotonic() + longestWaitMilliseconds(failures);
  const next = Math.min(momentOf(clock, nextAttemptAt) ?? 0, latest);
  return {
    failures,
    failingSince: momentOf(clock, failingSince),
    nextAttemptAt: next,
    // Not known of what an older version has stored: the host may have asked for the whole pause.
    earliestAttemptAt: Math.min(momentOf(clock, known.earliestAttemptAt) ?? next, next),
    shortenedWaits: known.shortenedWaits,
  };
}

/** Times are moments of the monotonic clock. */
export class Lane {
  readonly host: string;
  /** The host's number in its partition. */
  readonly number: number;
  readonly log: LaneLog;
  readonly queue: LaneQueue;
  readonly health: LaneHealth;
  /** Deliveries in progress, including those with inboxes still to be served. */
  readonly jobs: Job[] = [];
  /** Inboxes that an interrupted delivery to several has still to serve. */
  readonly unserved = new Map<number, readonly string[]>();
  /** The newest delivery of the log that was offered to it. */
  lastOffered = 0;
  /** Running requests. */
  underWay = 0;
  /** Whether it is in the ready list. */
  isReady = false;
  /** Whether it waits until an account has its keys. */
  isWaitingForKeys = false;
  /** Has unsaved progress. */
  hasMoved = false;
  alarmAt = Number.POSITIVE_INFINITY;
  /** Whether the host expects a signature over the path without its query. */
  signsWithoutQuery = false;
  /** Requests that the host refused since the start, and the last of them. */
  refusals = 0;
  lastRefusal: RefusedDelivery | undefined;
  /** The inboxes that worked last and that failed last. */
  private workingInbox: string | undefined;
  private failedInbox: string | undefined;
  /** Whether all failures since the host worked were answers of its software. */
  private hasAnsweredAll = false;
  private connections = 0;
  private lastUsedAt = Number.NEGATIVE_INFINITY;
  private lastInbox: { readonly text: string; readonly url: URL | null } | undefined;

  constructor({ log, number, host, known, clock }: LaneOptions) {
    this.log = log;
    this.number = number;
    this.host = host;
    this.queue = new LaneQueue(log, known?.cursor ?? 0, known?.ahead ?? []);
    this.health = new LaneHealth(known && healthOf(known, clock));
  }

  /** Whether a request could be sent now. */
  canSend(now: number): boolean {
    if (this.isWaitingForKeys) return false;
    const hasWork = this.queue.hasWaiting || this.queue.delayedUntil <= now || this.hasUnservedJob;
    return hasWork && this.health.allows(now, this.underWay);
  }

  /** When to examine it again although nothing happens; Infinity for never. */
  wakeAt(now: number): number {
    const { queue, health } = this;
    const workAt = queue.hasWaiting || this.hasUnservedJob ? now : queue.delayedUntil;
    return workAt === Number.POSITIVE_INFINITY ? workAt : Math.max(workAt, health.nextAttemptAt);
  }

  /** Whether the next request needs a new connection, as far as can be known. */
  needsConnection(now: number): boolean {
    if (now - this.lastUsedAt > egressLimits.connectionIdleMilliseconds) this.connections = this.underWay;
    return this.underWay >= this.connections;
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

  /** A request is about to count as a failure of the host, whose software has answered it or not. */
  failed(inbox: string, wasAnswered: boolean): void {
    this.hasAnsweredAll = wasAnswered && (this.hasAnsweredAll || !this.health.isFailing);
    this.failedInbox = inbox;
  }

  /** Whether the host may be working, and only what was tried is at fault. */
  get maybeWorks(): boolean {
    return this.health.isFailing && this.hasAnsweredAll;
  }

  /** A request has succeeded. */
  succeeded(inbox: string): void {
    this.workingInbox = inbox;
  }

  /**
   * In the order of attempts: the inbox that worked last, then those after the one that failed last. A host of which only
   * some inboxes fail shows that at the first one.
   */
  inOrder(inboxes: readonly string[]): readonly string[] {
    if (inboxes.length < 2 || this.failedInbox === undefined) return inboxes;
    const next = inboxes.indexOf(this.failedInbox) + 1;
    const working = inboxes.filter((inbox) => inbox === this.workingInbox);
    const others = [...inboxes.slice(next), ...inboxes.slice(0, next)];
    return [...working, ...others.filter((inbox) => inbox !== this.workingInbox)];
  }

  /** The parsed URL of an inbox; null for an invalid one. Mostly it is the same as last time. */
  urlOf(inbox: string): URL | null {
    if (this.lastInbox?.text !== inbox) this.lastInbox = { text: inbox, url: URL.parse(inbox) };
    return this.lastInbox.url;
  }

  progress(clock: Clock): LaneProgress {
    const { failures, failingSince, nextAttemptAt, earliestAttemptAt, shortenedWaits } = this.health;
    return {
      host: this.number,
      ...this.queue.progress(),
      failures,
      ...(failures > 0 && {
        failingSince: dateOf(clock, failingSince),
        nextAttemptAt: dateOf(clock, nextAttemptAt),
        earliestAttemptAt: dateOf(clock, earliestAttemptAt),
        shortenedWaits,
      }),
    };
  }

  private get hasUnservedJob(): boolean {
    return this.jobs.some((job) => job.next < job.inboxes.length);
  }
}
