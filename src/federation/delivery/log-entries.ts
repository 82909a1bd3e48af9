/**
 * The latest deliveries of one partition's log, in memory and linked by order key: order and superseding are decided
 * without reading the log. Bounded in bytes: the oldest are evicted first.
 */
import type { LoggedDelivery } from '../../actors/partition/deliveries.queries.ts';
import { SizedMap } from '../../runtime/sized-map.ts';
import { isFirstOfItsKind, orderKeyOf } from './intent-rules.ts';
import type { LaneQueue, OrderRule } from './lane-queue.ts';
import { egressLimits } from './limits.ts';
import { bytesOfEntry, entryOf, type LogEntry } from './log-entry.ts';

export class LogEntries implements OrderRule {
  private readonly load: (sequence: number) => LoggedDelivery | undefined;
  private readonly entries: SizedMap<number, LogEntry>;
  /** Read again for lanes that are behind. */
  private readonly older: SizedMap<number, LogEntry>;
  private readonly latest = new Map<bigint, number>();
  /** The lowest sequence of `entries`, and of everything in `latest`. */
  private start = Number.POSITIVE_INFINITY;

  constructor(load: (sequence: number) => LoggedDelivery | undefined, bytesMax: number) {
    this.load = load;
    const olderBytesMax = bytesMax / egressLimits.olderEntriesPart;
    this.entries = new SizedMap({
      bytesMax: bytesMax - olderBytesMax,
      bytesOf: bytesOfEntry,
      dropped: (entry) => this.forgotten(entry),
    });
    this.older = new SizedMap({ bytesMax: olderBytesMax, bytesOf: bytesOfEntry });
  }

  get bytes(): number {
    return this.entries.bytes + this.older.bytes;
  }

  /** The next delivery of the log. */
  add(delivery: LoggedDelivery): LogEntry {
    const key = orderKeyOf(delivery.intent);
    const entry = entryOf(delivery, this.latest.get(key) ?? 0);
    this.latest.set(key, entry.sequence);
    if (this.entries.size === 0) this.start = entry.sequence;
    this.entries.set(entry.sequence, entry);
    return entry;
  }

  /** Undefined when the log no longer has it. */
  get(sequence: number): LogEntry | undefined {
    return this.entries.get(sequence) ?? this.older.get(sequence) ?? this.getOlder(sequence);
  }

  isFree(queue: LaneQueue, sequence: number): boolean {
    const entry = this.get(sequence);
    if (entry === undefined || isFirstOfItsKind(entry.intent.kind)) return true;
    const { lowest } = queue;
    if (sequence === lowest) return true;
    // Earlier sequences are not in memory.
    if (lowest < this.start) return false;
    for (const earlier of this.history(entry)) if (queue.holds(earlier.sequence)) return false;
    return true;
  }

  /** Earlier deliveries with the same order key, newest first, as far as they are in memory. */
  *history(entry: LogEntry): Generator<LogEntry> {
    let earlier = this.entries.get(entry.previous);
    for (let steps = 0; earlier !== undefined && steps < egressLimits.historyMax; steps += 1) {
      yield earlier;
      earlier = this.entries.get(earlier.previous);
    }
  }

  private getOlder(sequence: number): LogEntry | undefined {
    const delivery = this.load(sequence);
    if (delivery === undefined) return undefined;
    const entry = entryOf(delivery, 0);
    this.older.set(sequence, entry);
    return entry;
  }

  /** The oldest was evicted. */
  private forgotten({ sequence, intent }: LogEntry): void {
    const key = orderKeyOf(intent);
    if (this.latest.get(key) === sequence) this.latest.delete(key);
    this.start = sequence + 1;
  }
}
