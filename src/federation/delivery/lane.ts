/** Everything about deliveries to one remote host: its queue, its health, what is under way, its stored progress. */
import type { LaneProgress } from '../../actors/partition/partition.messages.ts';
import type { Job } from './job.ts';
import { LaneHealth } from './lane-health.ts';
import { LaneQueue, type LogPosition } from './lane-queue.ts';
import { egressLimits } from './limits.ts';
import type { LogEntries } from './log-entries.ts';
import type { LogEntry } from './log-entry.ts';

/** What a lane asks of the log that it follows. */
export interface LaneLog extends LogPosition {
  readonly partition: number;
  readonly entries: LogEntries;
  /** The inboxes of one host that a delivery goes to, and the one among them that serves several accounts. */
  targets(entry: LogEntry, host: number): { readonly inboxes: readonly string[]; readonly shared: string | undefined };
  /** The lane has room again for what it left in the log. */
  readFor(lane: Lane): void;
}

/** How a lane came out of an earlier run. */
export interface KnownLane {
  readonly cursor: number;
  readonly ahead: readonly number[];
  readonly failures: number;
  readonly failingSince?: number | undefined;
  readonly nextAttemptAt?: number | undefined;
}

export class Lane {
  readonly host: string;
  /** The host's number in its partition. */
  readonly number: number;
  readonly log: LaneLog;
  readonly queue: LaneQueue;
  readonly health: LaneHealth;
  /** Deliveries that are under way, and those of them with inboxes that were not served yet. */
  readonly jobs: Job[] = [];
  /** Inboxes that an interrupted delivery to several has still to serve. */
  readonly unserved = new Map<number, readonly string[]>();
  /** The newest delivery of the log that was offered to it. */
  lastOffered = 0;
  /** Requests under way. */
  underWay = 0;
  /** Whether it stands in line for sending. */
  isReady = false;
  /** Whether nothing is sent until an account has its keys. */
  isWaitingForKeys = false;
  /** Whether something is to be written down. */
  hasMoved = false;
  alarmAt = Number.POSITIVE_INFINITY;
  /** Whether the host wants the path without its query to be signed. */
  signsWithoutQuery = false;
  private connections = 0;
  private lastUsedAt = Number.NEGATIVE_INFINITY;
  private lastInbox: { readonly text: string; readonly url: URL | null } | undefined;

  constructor(log: LaneLog, number: number, host: string, known: KnownLane | undefined) {
    this.log = log;
    this.number = number;
    this.host = host;
    this.queue = new LaneQueue(log, known?.cursor ?? 0, known?.ahead ?? []);
    this.health = new LaneHealth(known);
  }

  /** Whether a request could go now. */
  canSend(now: number): boolean {
    if (this.isWaitingForKeys) return false;
    const hasWork = this.queue.hasWaiting || this.queue.delayedUntil <= now || this.hasUnservedJob;
    return hasWork && this.health.allows(now, this.underWay);
  }

  /** When it should be looked at again although nothing happens; Infinity for never. */
  wakeAt(now: number): number {
    const { queue, health } = this;
    const workAt = queue.hasWaiting || this.hasUnservedJob ? now : queue.delayedUntil;
    return workAt === Number.POSITIVE_INFINITY ? workAt : Math.max(workAt, health.nextAttemptAt);
  }

  /** Whether the next request needs a connection that is not open yet, as far as that can be known. */
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

  /** A request is over; without an answer its connection is gone. */
  ended(now: number, wasAnswered: boolean): void {
    this.underWay -= 1;
    this.lastUsedAt = now;
    if (!wasAnswered) this.connections = Math.max(0, this.connections - 1);
  }

  /** The address of an inbox, parsed; null for one that is none. Mostly it is the same as last time. */
  urlOf(inbox: string): URL | null {
    if (this.lastInbox?.text !== inbox) this.lastInbox = { text: inbox, url: URL.parse(inbox) };
    return this.lastInbox.url;
  }

  progress(): LaneProgress {
    const { failures, failingSince, nextAttemptAt } = this.health;
    return {
      host: this.number,
      ...this.queue.progress(),
      failures,
      ...(failures === 0 ? {} : { failingSince, nextAttemptAt }),
    };
  }

  private get hasUnservedJob(): boolean {
    return this.jobs.some((job) => job.next < job.inboxes.length);
  }
}
