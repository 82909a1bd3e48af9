/**
 * The pending deliveries of one host, their order, and the progress of the host.
 *
 *   urgent    for accounts addressed by name: always first
 *   backlog   what was pending when the host was failing; then perhaps a gap: sequences left in the log because the
 *             backlog is full, read later
 *   live      what arrived after the host had recovered: takes turns with the backlog
 *
 * INVARIANTS
 * 1. Every delivery for the host that is not done is in one of the queues, in the gap, in progress, delayed, or above
 *    the log's head.
 * 2. Backlog, gap and live follow each other: every sequence of one is lower than every sequence of the next.
 */
import { Attempts } from './attempts.ts';
import { DoneRanges } from './done-ranges.ts';
import { laneLimits } from './limits.ts';
import { SequenceQueue } from './sequence-queue.ts';

/** The highest sequence of the partition's log that was offered to its lanes. */
export interface LogPosition {
  readonly head: number;
}

/** Decides whether a delivery may be sent now, or has to wait for an earlier one with the same order key. */
export interface OrderRule {
  isFree(queue: LaneQueue, sequence: number): boolean;
}

export class LaneQueue {
  private readonly position: LogPosition;
  private readonly capacityMax: number;
  private capacity: number;
  private cursor: number;
  private readonly ahead: DoneRanges;
  private readonly urgent = new SequenceQueue();
  private readonly backlog = new SequenceQueue();
  private readonly live = new SequenceQueue();
  /** `until` is excluded; Infinity while every new delivery belongs to the gap. */
  private gap: { from: number; until: number } | undefined;
  private readonly attempts = new Attempts();
  private turn: 'backlog' | 'live' = 'live';
  private readonly isPendingBetween = (after: number, before: number) => this.hasPendingBetween(after, before);

  /** `capacity` is the number of sequences held in memory. */
  constructor(
    position: LogPosition,
    cursor: number,
    ahead: readonly number[],
    capacity: number = laneLimits.pendingPerLaneMax,
  ) {
    this.position = position;
    this.capacityMax = capacity;
    this.capacity = capacity;
    this.cursor = cursor;
    this.ahead = new DoneRanges(ahead);
  }

  /** Deliveries known in memory; the gap may contain more. */
  get length(): number {
    return this.waiting + this.attempts.length;
  }

  get hasGap(): boolean {
    return this.gap !== undefined;
  }

  /** Where to continue reading for the gap; undefined where nothing is missing or there is no room yet. */
  get gapStart(): number | undefined {
    const hasRoom = this.waiting * 2 < this.capacity || (this.backlog.length === 0 && this.waiting < this.capacity);
    return hasRoom ? this.gap?.from : undefined;
  }

  /** When the next delayed delivery is due; Infinity for none. */
  get delayedUntil(): number {
    return this.attempts.delayedUntil;
  }

  /** Whether something could be picked, not counting delayed deliveries. */
  get hasWaiting(): boolean {
    return this.waiting > 0;
  }

  /** The lowest sequence that is not done; Infinity when all are. */
  get lowest(): number {
    const { urgent, backlog, live, attempts, gap } = this;
    return Math.min(urgent.first, backlog.first, live.first, attempts.lowest, gap?.from ?? Infinity);
  }

  /** Sequences in memory that nobody is working on. */
  get waiting(): number {
    return this.urgent.length + this.backlog.length + this.live.length;
  }

  /** The next delivery of the log for this host. False where it is not added now. */
  offer(sequence: number, isUrgent: boolean, isFailing: boolean): boolean {
    if (this.isDone(sequence) || this.gap?.until === Number.POSITIVE_INFINITY) return false;
    if (this.waiting >= this.capacity) {
      this.overflow(sequence);
      return false;
    }
    if (isUrgent) this.urgent.add(sequence);
    else if (isFailing && this.gap === undefined) this.backlog.add(sequence);
    else this.live.add(sequence);
    return true;
  }

  /** A delivery of the gap, read again; false where there is no room for it. */
  refill(sequence: number, isUrgent: boolean): boolean {
    const { gap } = this;
    if (gap === undefined || sequence < gap.from || sequence >= gap.until) return true;
    if (this.waiting >= this.capacity) return false;
    gap.from = sequence + 1;
    if (this.isDone(sequence) || this.isHeld(sequence)) return true;
    if (isUrgent) this.urgent.add(sequence);
    else this.backlog.add(sequence);
    return true;
  }

  /** The log was read through this sequence for the gap, as far as there was room. */
  refilledThrough(sequence: number): void {
    if (this.gap === undefined) return;
    this.gap.from = Math.max(this.gap.from, sequence + 1);
    if (this.gap.from >= this.gap.until || this.gap.from > this.position.head) this.gap = undefined;
  }

  /** Whether a delivery is, or may be, pending here. */
  holds(sequence: number): boolean {
    const { gap } = this;
    const isInGap = gap !== undefined && sequence >= gap.from && sequence < gap.until && !this.isDone(sequence);
    return isInGap || this.isHeld(sequence);
  }

  /** Whether it is pending and was never tried; `from` is the first sequence for which that is known. */
  isUntried(sequence: number, from: number): boolean {
    return sequence >= from && !this.attempts.wasTried(sequence) && this.isWaiting(sequence);
  }

  /** Ends deliveries without sending them. */
  discard(sequence: number): void {
    if (!this.urgent.remove(sequence) && !this.backlog.remove(sequence)) this.live.remove(sequence);
    this.finish(sequence);
  }

  /**
   * The next delivery to send, which is in progress from now on; undefined when all have to wait. A probe prefers an
   * untried delivery, so that one that the host cannot process does not keep it unreachable.
   */
  pick(now: number, rule: OrderRule, isProbe: boolean): number | undefined {
    return (
      this.attempts.beginDue(now, (sequence) => rule.isFree(this, sequence)) ??
      (isProbe ? this.pickUntried(rule) : undefined) ??
      (this.ahead.count >= laneLimits.aheadRangesMax ? this.pickLowest(rule) : this.pickInTurn(rule))
    );
  }

  wasTried(sequence: number): boolean {
    return this.attempts.wasTried(sequence);
  }

  /** How often the host refused it. */
  refusalsOf(sequence: number): number {
    return this.attempts.refusalsOf(sequence);
  }

  /** A delivery in progress was not sent after all: it is pending as before. */
  putBack(sequence: number, isFailing: boolean): void {
    const isUrgent = this.attempts.end(sequence);
    const { gap } = this;
    const isBeforeLive = gap === undefined ? isFailing || sequence < this.backlog.last : sequence < gap.from;
    if (isUrgent) this.urgent.add(sequence);
    else if (isBeforeLive) this.backlog.add(sequence);
    else if (gap === undefined || sequence >= gap.until) this.live.add(sequence);
  }

  /** A delivery in progress failed: it is pending again. */
  giveBack(sequence: number, isFailing: boolean): void {
    this.putBack(sequence, isFailing);
    this.attempts.failed(sequence);
  }

  /** The host refused a delivery: it is not tried again before `at`. False when too many are delayed already. */
  tryLater(sequence: number, at: number): boolean {
    return this.attempts.delay(sequence, at);
  }

  /** A delivery has ended, with whatever result. */
  finish(sequence: number): void {
    this.attempts.end(sequence);
    this.attempts.forget(sequence);
    // An urgent delivery can be held although the gap begins with it.
    if (this.gap?.from === sequence) this.refilledThrough(sequence);
    const { lowest } = this;
    if (lowest < sequence) this.ahead.add(sequence, this.isPendingBetween);
    // Sequences above the head may have been done by an earlier run; those in between were never offered.
    this.cursor = Math.max(this.cursor, Math.min(lowest - 1, Math.max(this.position.head, sequence)));
    this.ahead.dropThrough(this.cursor);
  }

  /** The host is failing: pending deliveries become its backlog. */
  failed(): void {
    if (this.gap === undefined) {
      this.backlog.append(this.live);
    } else {
      // Also if `live` is empty: new deliveries must stay behind the backlog, which grows when the gap is closed.
      this.gap.until = Number.POSITIVE_INFINITY;
      this.live.clear();
    }
  }

  /** Drops all but the lowest sequences from memory, and holds no more than these until the host has recovered. */
  narrow(capacity: number): void {
    this.capacity = Math.min(this.capacity, capacity);
    if (this.waiting <= this.capacity) return;
    if (this.gap === undefined) this.backlog.append(this.live);
    else this.live.clear();
    const held = [...this.urgent, ...this.backlog].sort((one, other) => one - other);
    const limit = held[this.capacity] ?? Number.POSITIVE_INFINITY;
    this.urgent.dropFrom(limit);
    this.backlog.dropFrom(limit);
    this.gap = { from: Math.min(limit, this.gap?.from ?? limit), until: Number.POSITIVE_INFINITY };
  }

  /** The host works again: deliveries from now on are live. */
  recovered(): void {
    this.capacity = this.capacityMax;
    if (this.gap?.until === Number.POSITIVE_INFINITY) this.gap.until = Math.max(this.gap.from, this.position.head + 1);
    this.refilledThrough(0);
  }

  progress(): { cursor: number; ahead: number[] } {
    return { cursor: this.cursor, ahead: this.ahead.toArray() };
  }

  private isDone(sequence: number): boolean {
    return sequence <= this.cursor || (this.ahead.count > 0 && this.ahead.has(sequence));
  }

  private isWaiting(sequence: number): boolean {
    return this.urgent.has(sequence) || this.backlog.has(sequence) || this.live.has(sequence);
  }

  private isHeld(sequence: number): boolean {
    return this.isWaiting(sequence) || this.attempts.has(sequence);
  }

  /** What was never read counts as pending. */
  private hasPendingBetween(after: number, before: number): boolean {
    return (
      before > this.position.head + 1 ||
      this.urgent.hasBetween(after, before) ||
      this.backlog.hasBetween(after, before) ||
      this.live.hasBetween(after, before) ||
      (this.gap !== undefined && this.gap.from < before && this.gap.until > after + 1) ||
      this.attempts.hasBetween(after, before)
    );
  }

  /** There is no room for this delivery: it, and all that follow, stay in the log. */
  private overflow(sequence: number): void {
    if (this.gap === undefined) {
      this.backlog.append(this.live);
      this.gap = { from: sequence, until: Number.POSITIVE_INFINITY };
    } else {
      this.gap.until = Number.POSITIVE_INFINITY;
      this.live.clear();
    }
  }

  private pickUntried(rule: OrderRule): number | undefined {
    return (
      this.pickFrom(this.urgent, rule, true) ??
      this.pickFrom(this.backlog, rule, true) ??
      this.pickFrom(this.live, rule, true)
    );
  }

  private pickLowest(rule: OrderRule): number | undefined {
    const queue = [this.urgent, this.backlog, this.live].reduce((one, other) =>
      other.first < one.first ? other : one,
    );
    return queue.length > 0 && rule.isFree(this, queue.first) ? this.takeAt(queue, 0) : undefined;
  }

  private pickInTurn(rule: OrderRule): number | undefined {
    const urgent = this.pickFrom(this.urgent, rule, false);
    if (urgent !== undefined) return urgent;
    this.turn = this.turn === 'live' ? 'backlog' : 'live';
    const [first, second] = this.turn === 'live' ? [this.live, this.backlog] : [this.backlog, this.live];
    return this.pickFrom(first, rule, false) ?? this.pickFrom(second, rule, false);
  }

  private pickFrom(queue: SequenceQueue, rule: OrderRule, isUntriedOnly: boolean): number | undefined {
    const last = Math.min(queue.length, laneLimits.lookAheadMax);
    for (let index = 0; index < last; index += 1) {
      const sequence = queue.at(index);
      if (isUntriedOnly && this.attempts.wasTried(sequence)) continue;
      if (rule.isFree(this, sequence)) return this.takeAt(queue, index);
    }
    return undefined;
  }

  private takeAt(queue: SequenceQueue, index: number): number {
    const sequence = queue.at(index);
    queue.removeAt(index);
    this.attempts.begin(sequence, queue === this.urgent);
    return sequence;
  }
}
