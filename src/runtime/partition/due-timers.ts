/**
 * The timers of a partition in the order of their time. Due timers are read in batches, and each read begins behind the
 * last one taken: starting over would pass again over every timer that is deleted but not yet committed.
 *
 * INVARIANT all timers before `from` have been taken.
 */
import { partitionLimits } from '../limits.ts';
import { timerRecords } from '../storage/machine.ts';
import type { Entry, Reader } from '../storage/reader.ts';
import { Fifo } from './fifo.ts';

/** The message stays encoded: one that cannot be decoded must not block the others. */
export type DueTimer = Entry<[number, number], Uint8Array>;

export class DueTimers {
  private readonly reader: Reader;
  private readonly read = new Fifo<DueTimer>();
  private lastReadAt = 0;
  private next = Number.POSITIVE_INFINITY;
  private from: DueTimer['key'] = [0, 0];

  constructor(reader: Reader) {
    this.reader = reader;
  }

  open(): void {
    this.read.clear();
    this.next = 0;
    this.from = [0, 0];
    this.readDue(Number.NEGATIVE_INFINITY);
  }

  /** No timer is due before this time. */
  get nextAt(): number {
    return this.next;
  }

  /** A timer was written. */
  planned(at: number): void {
    if (this.read.length > 0 && at < this.lastReadAt) this.read.clear();
    if (at < this.from[0]) this.from = [at, 0];
    if (at < this.next) this.next = at;
  }

  /** The next due timer. The caller deletes it before asking for another. */
  take(now: number): DueTimer | undefined {
    if (this.next > now) return undefined;
    if (this.read.length === 0) this.readDue(now);
    const timer = this.read.shift();
    if (timer === undefined) return undefined;
    const [at, sequence] = timer.key;
    this.from = [at, sequence + 1];
    this.next = this.read.peek()?.key[0] ?? at;
    return timer;
  }

  private readDue(now: number): void {
    this.next = Number.POSITIVE_INFINITY;
    for (const timer of this.notTaken()) {
      const [at] = timer.key;
      if (at < this.next) this.next = at;
      if (at > now) return;
      this.lastReadAt = at;
      this.read.push(timer);
      if (this.read.length === partitionLimits.timersPerRead) return;
    }
  }

  private *notTaken(): Generator<DueTimer> {
    const [at, sequence] = this.from;
    yield* this.reader.range(timerRecords, [at], { from: sequence });
    yield* this.reader.range(timerRecords, [], { from: at + 1 });
  }
}
