/**
 * The latest entries of one partition's log, in memory and linked by order key: order and superseding are decided
 * without reading the log. Bounded in bytes: the oldest are evicted first.
 */
import { SizedMap } from '../../runtime/sized-map.ts';
import type { LaneQueue, OrderRule } from './lane-queue.ts';
import { laneLimits } from './limits.ts';
import type { DeliveryLog, LogEntry } from './log.ts';

export class LogEntries implements OrderRule {
  private readonly log: Pick<DeliveryLog, 'find'>;
  private readonly entries: SizedMap<number, LogEntry>;
  /** Read again for lanes that are behind. */
  private readonly older: SizedMap<number, LogEntry>;
  private readonly latest = new Map<bigint, number>();
  /** The lowest sequence of `entries`, and of everything in `latest`. */
  private start = Number.POSITIVE_INFINITY;

  constructor(log: Pick<DeliveryLog, 'find'>, bytesMax: number) {
    this.log = log;
    const olderBytesMax = bytesMax / laneLimits.olderEntriesPart;
    this.entries = new SizedMap({
      bytesMax: bytesMax - olderBytesMax,
      bytesOf: ({ bytes }) => bytes,
      dropped: (entry) => this.forgotten(entry),
    });
    this.older = new SizedMap({ bytesMax: olderBytesMax, bytesOf: ({ bytes }) => bytes });
  }

  get bytes(): number {
    return this.entries.bytes + this.older.bytes;
  }

  /** The next entry of the log. */
  add(entry: LogEntry): void {
    const key = entry.orderKey;
    entry.previous = this.latest.get(key) ?? 0;
    this.latest.set(key, entry.sequence);
    if (this.entries.size === 0) this.start = entry.sequence;
    this.entries.set(entry.sequence, entry);
  }

  /** Undefined when the log no longer has it. */
  get(sequence: number): LogEntry | undefined {
    return this.entries.get(sequence) ?? this.older.get(sequence) ?? this.getOlder(sequence);
  }

  isFree(queue: LaneQueue, sequence: number): boolean {
    const entry = this.get(sequence);
    if (entry === undefined || entry.isFirstOfOrder) return true;
    const { lowest } = queue;
    if (sequence === lowest) return true;
    // Earlier sequences are not in memory.
    if (lowest < this.start) return false;
    for (const earlier of this.history(entry)) if (queue.holds(earlier.sequence)) return false;
    return true;
  }

  /** Earlier entries with the same order key, newest first, as far as they are in memory. */
  *history(entry: LogEntry): Generator<LogEntry> {
    let earlier = this.entries.get(entry.previous);
    for (let steps = 0; earlier !== undefined && steps < laneLimits.historyMax; steps += 1) {
      yield earlier;
      earlier = this.entries.get(earlier.previous);
    }
  }

  private getOlder(sequence: number): LogEntry | undefined {
    const entry = this.log.find(sequence);
    if (entry !== undefined) this.older.set(sequence, entry);
    return entry;
  }

  /** The oldest was evicted. */
  private forgotten({ sequence, orderKey }: LogEntry): void {
    if (this.latest.get(orderKey) === sequence) this.latest.delete(orderKey);
    this.start = sequence + 1;
  }
}
