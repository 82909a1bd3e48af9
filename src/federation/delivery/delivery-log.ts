/**
 * Reads the delivery log of one partition into the lanes of the hosts that this thread serves: new deliveries as they
 * are appended, and older ones again for lanes that had no room for them.
 *
 * INVARIANT every delivery up to `head` was offered to each of its lanes on this thread.
 */
import {
  deliveriesAfter,
  findDelivery,
  findHostNumber,
  findLaneState,
  hostOfNumber,
  inboxesAt,
  type LoggedDelivery,
  newestDelivery,
  visitHosts,
} from '../../actors/partition/deliveries.queries.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { isUrgent, superseded } from './intent-rules.ts';
import { Lane, type LaneLog } from './lane.ts';
import { egressLimits } from './limits.ts';
import { LogEntries } from './log-entries.ts';
import type { LogEntry } from './log-entry.ts';

export interface DeliveryLogOptions {
  readonly partition: number;
  readonly reader: Reader;
  readonly clock: Clock;
  /** For deliveries in memory. */
  readonly entryBytesMax: number;
  readonly defer: (callback: () => void) => void;
  /** Whether this thread serves the host[:port]. */
  readonly serves: (host: string) => boolean;
  /** A delivery was added to a lane. */
  readonly onQueued: () => void;
  /** A lane has something new to send. */
  readonly onWork: (lane: Lane) => void;
  /** A delivery of a lane ended without being sent. */
  readonly onMoved: (lane: Lane) => void;
  /** New deliveries were read. */
  readonly onRead: () => void;
}

export class DeliveryLog implements LaneLog {
  readonly partition: number;
  readonly entries: LogEntries;
  /** By the host's number; null for hosts that another thread serves. */
  readonly lanes = new Map<number, Lane | null>();
  head = 0;
  private readonly options: DeliveryLogOptions;
  /** Deliveries that existed at the start may have been tried by an earlier run. */
  private untriedFrom = Number.POSITIVE_INFINITY;
  private isReading = false;
  private isStopped = false;
  private readonly behind = new Set<Lane>();

  constructor(options: DeliveryLogOptions) {
    this.options = options;
    this.partition = options.partition;
    this.entries = new LogEntries((sequence) => findDelivery(options.reader, sequence), options.entryBytesMax);
  }

  start(): void {
    this.untriedFrom = newestDelivery(this.options.reader) + 1;
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
    const number = findHostNumber(this.options.reader, host);
    return number === undefined ? undefined : (this.laneOf(number) ?? undefined);
  }

  targets(entry: LogEntry, host: number): { inboxes: string[]; shared: string | undefined } {
    const inboxes: string[] = [];
    let shared: string | undefined;
    if (entry.followersOf !== undefined) {
      for (const { inbox, followers } of inboxesAt(this.options.reader, entry.followersOf, host)) {
        inboxes.push(inbox);
        if (followers > 1) shared = inbox;
      }
    }
    for (const single of entry.single)
      if (single.host === host && !inboxes.includes(single.inbox)) inboxes.push(single.inbox);
    return { inboxes, shared };
  }

  private readonly readSlice = (): void => {
    this.isReading = false;
    if (this.isStopped) return;
    if (this.readNew() || this.readOlder()) this.read();
  };

  /** Reads one slice of new deliveries; returns whether there is more. */
  private readNew(): boolean {
    const { readEntriesAtOnce, readHostsPerSlice } = egressLimits;
    for (let hosts = 0; hosts < readHostsPerSlice; ) {
      const deliveries = deliveriesAfter(this.options.reader, this.head, readEntriesAtOnce);
      for (const delivery of deliveries) hosts += this.take(delivery);
      if (deliveries.length > 0) this.options.onRead();
      if (deliveries.length < readEntriesAtOnce) return false;
    }
    return true;
  }

  /** Returns about how many hosts it concerns; none counts as one. */
  private take(delivery: LoggedDelivery): number {
    const entry = this.entries.add(delivery);
    const urgent = isUrgent(entry.intent.kind) ? entry.addressed : [];
    let hosts = delivery.single.length + 1;
    visitHosts(delivery, (number) => {
      hosts += 1;
      this.offer(number, entry, urgent.includes(number));
    });
    for (const { host } of delivery.single) this.offer(host, entry, urgent.includes(host));
    this.head = entry.sequence;
    return hosts;
  }

  private offer(number: number, entry: LogEntry, urgent: boolean): void {
    const lane = this.laneOf(number);
    if (lane === null || lane.lastOffered === entry.sequence) return;
    lane.lastOffered = entry.sequence;
    const { isFailing } = lane.health;
    if (isFailing && this.isSuperseding(lane, entry)) lane.queue.discard(entry.sequence);
    else if (lane.queue.offer(entry.sequence, urgent, isFailing)) {
      // Another delivery will tell whether the host is failing, or only what was tried.
      if (lane.maybeWorks && lane.health.heard(this.options.clock.monotonic())) this.options.onMoved(lane);
      this.options.onQueued();
      this.options.onWork(lane);
    } else if (lane.queue.gapStart !== undefined) this.readFor(lane);
  }

  /** Ends earlier deliveries that this one supersedes; true when it is superfluous itself together with them. */
  private isSuperseding(lane: Lane, entry: LogEntry): boolean {
    for (const earlier of this.entries.history(entry)) {
      const effect = superseded(entry.intent, earlier.intent);
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
    const { reader, serves, clock } = this.options;
    const host = hostOfNumber(reader, number);
    const lane =
      host !== undefined && serves(host)
        ? new Lane({ log: this, number, host, known: findLaneState(reader, number), clock })
        : null;
    this.lanes.set(number, lane);
    return lane;
  }

  /** Reads one slice for all lanes that are behind; returns whether there is more. */
  private readOlder(): boolean {
    const from = this.firstGap();
    if (from === Number.POSITIVE_INFINITY) return false;
    const deliveries = deliveriesAfter(this.options.reader, from - 1, egressLimits.readEntriesAtOnce);
    for (const delivery of deliveries) this.refill(delivery);
    const isAtEnd = deliveries.length < egressLimits.readEntriesAtOnce;
    const through = isAtEnd ? this.head : deliveries[deliveries.length - 1]!.sequence;
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

  private refill(delivery: LoggedDelivery): void {
    const numbers = new Set<number>();
    visitHosts(delivery, (number) => void numbers.add(number));
    for (const { host } of delivery.single) numbers.add(host);
    for (const lane of this.behind) {
      if (!numbers.has(lane.number)) continue;
      const isAddressed = isUrgent(delivery.intent.kind) && delivery.addressed.includes(lane.number);
      if (lane.queue.refill(delivery.sequence, isAddressed)) this.options.onQueued();
      else this.behind.delete(lane);
    }
  }
}
