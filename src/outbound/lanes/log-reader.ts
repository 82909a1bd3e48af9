/**
 * Reads the log of one partition into the lanes of the hosts that this thread serves: new entries as they are appended,
 * and older ones again for lanes that had no room for them.
 *
 * INVARIANT every entry up to `head` was offered to each of its lanes on this thread.
 */
import type { Clock } from '../../runtime/ports.ts';
import { Lane, type LaneLog } from './lane.ts';
import { laneLimits } from './limits.ts';
import type { AddressedEntry, DeliveryLog, LogEntry } from './log.ts';
import { LogEntries } from './log-entries.ts';

export interface LogReaderOptions {
  readonly partition: number;
  readonly log: DeliveryLog;
  readonly clock: Clock;
  /** For entries in memory. */
  readonly entryBytesMax: number;
  readonly defer: (callback: () => void) => void;
  /** Whether this thread serves the host[:port]. */
  readonly serves: (host: string) => boolean;
  /** Whether staff have stopped deliveries to the host[:port]. */
  readonly holds: (host: string) => boolean;
  /** An entry was added to a lane. */
  readonly onQueued: () => void;
  /** A lane has something new to send. */
  readonly onWork: (lane: Lane) => void;
  /** An entry of a lane ended without being sent. */
  readonly onMoved: (lane: Lane) => void;
  /** New entries were read. */
  readonly onRead: () => void;
}

export class LogReader implements LaneLog {
  readonly partition: number;
  readonly entries: LogEntries;
  /** By the host's number; null for hosts that another thread serves. */
  readonly lanes = new Map<number, Lane | null>();
  head = 0;
  private readonly options: LogReaderOptions;
  /** Entries that existed at the start may have been tried by an earlier run. */
  private untriedFrom = Number.POSITIVE_INFINITY;
  private isReading = false;
  private isStopped = false;
  private readonly behind = new Set<Lane>();

  constructor(options: LogReaderOptions) {
    this.options = options;
    this.partition = options.partition;
    this.entries = new LogEntries(options.log, options.entryBytesMax);
  }

  start(): void {
    this.untriedFrom = this.options.log.newest() + 1;
    this.read();
  }

  stop(): void {
    this.isStopped = true;
  }

  /** The log has grown, or may have. */
  read(): void {
    if (this.isReading || this.isStopped) return;
    this.isReading = true;
    this.options.defer(this.readSlice);
  }

  readFor(lane: Lane): void {
    this.behind.add(lane);
    this.read();
  }

  /** The lowest sequence that a lane of this thread still needs. */
  floor(): number {
    let floor = this.head + 1;
    for (const lane of this.lanes.values()) if (lane !== null) floor = Math.min(floor, lane.queue.lowest);
    return floor;
  }

  /** The lane of a host[:port]; undefined where it never had one, or another thread serves it. */
  laneAt(host: string): Lane | undefined {
    const { log } = this.options;
    const number = log.numberOf(host);
    if (number === undefined) return undefined;
    // Several logs share the numbers of hosts: one that only others know has no lane here.
    if (!this.lanes.has(number) && log.laneState(number) === undefined) return undefined;
    return this.laneOf(number) ?? undefined;
  }

  private readonly readSlice = (): void => {
    this.isReading = false;
    if (this.isStopped) return;
    if (this.readNew() || this.readOlder()) this.read();
  };

  /** Reads one slice of new entries; returns whether there is more. */
  private readNew(): boolean {
    const { readEntriesAtOnce, readHostsPerSlice } = laneLimits;
    for (let hosts = 0; hosts < readHostsPerSlice; ) {
      const entries = this.options.log.entriesAfter(this.head, readEntriesAtOnce);
      for (const entry of entries) hosts += this.take(entry);
      if (entries.length > 0) this.options.onRead();
      if (entries.length < readEntriesAtOnce) return false;
    }
    return true;
  }

  /** Returns about how many hosts it concerns; none counts as one. */
  private take(addressed: AddressedEntry): number {
    const { entry } = addressed;
    this.entries.add(entry);
    const { urgentAt } = entry;
    const hosts = addressed.visitHosts((number) => this.offer(number, entry, urgentAt.includes(number)));
    this.head = entry.sequence;
    return hosts + 1;
  }

  private offer(number: number, entry: LogEntry, urgent: boolean): void {
    const lane = this.laneOf(number);
    if (lane === null || lane.lastOffered === entry.sequence) return;
    lane.lastOffered = entry.sequence;
    const { isFailing } = lane.health;
    if (isFailing && this.isSuperseding(lane, entry)) lane.queue.discard(entry.sequence);
    else if (lane.queue.offer(entry.sequence, urgent, isFailing)) {
      // The new entry shows whether the host fails, or only the entries that were tried.
      if (lane.maybeWorks && lane.health.heard(this.options.clock.monotonic())) this.options.onMoved(lane);
      this.options.onQueued();
      this.options.onWork(lane);
    } else if (lane.queue.gapStart !== undefined) this.readFor(lane);
  }

  /** Ends earlier entries that this one supersedes; true when this one need not be sent either. */
  private isSuperseding(lane: Lane, entry: LogEntry): boolean {
    for (const earlier of this.entries.history(entry)) {
      const effect = entry.supersedes(earlier);
      if (effect === undefined || !lane.queue.isUntried(earlier.sequence, this.untriedFrom)) continue;
      lane.queue.discard(earlier.sequence);
      this.options.onMoved(lane);
      if (effect === 'both') return true;
    }
    return false;
  }

  private laneOf(number: number): Lane | null {
    const known = this.lanes.get(number);
    if (known !== undefined) return known;
    const { log, serves, holds, clock } = this.options;
    const host = log.hostOf(number);
    const lane =
      host !== undefined && serves(host)
        ? new Lane({ log: this, number, host, known: log.laneState(number), clock })
        : null;
    if (lane !== null) lane.isHeld = holds(lane.host);
    this.lanes.set(number, lane);
    return lane;
  }

  /** Reads one slice for all lanes that are behind; returns whether there is more. */
  private readOlder(): boolean {
    const from = this.firstGap();
    if (from === Number.POSITIVE_INFINITY) return false;
    const entries = this.options.log.entriesAfter(from - 1, laneLimits.readEntriesAtOnce);
    for (const entry of entries) this.refill(entry);
    const isAtEnd = entries.length < laneLimits.readEntriesAtOnce;
    const through = isAtEnd ? this.head : entries[entries.length - 1]!.entry.sequence;
    for (const lane of this.behind) {
      lane.queue.refilledThrough(through);
      this.options.onWork(lane);
    }
    return true;
  }

  /** Where the lane furthest behind continues; lanes without a gap, or without room, need nothing for now. */
  private firstGap(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const lane of this.behind) {
      const { gapStart } = lane.queue;
      if (gapStart === undefined) this.behind.delete(lane);
      else if (gapStart < first) first = gapStart;
    }
    return first;
  }

  private refill(addressed: AddressedEntry): void {
    const { sequence, urgentAt } = addressed.entry;
    const numbers = new Set<number>();
    addressed.visitHosts((number) => void numbers.add(number));
    for (const lane of this.behind) {
      if (!numbers.has(lane.number)) continue;
      if (lane.queue.refill(sequence, urgentAt.includes(lane.number))) this.options.onQueued();
      else this.behind.delete(lane);
    }
  }
}
