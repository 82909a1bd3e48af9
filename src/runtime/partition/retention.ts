/**
 * Keeps the event log within its bounds of age, count and bytes: each commit that writes removes a few of the oldest.
 */
import { readEvents } from '../events/event-record.ts';
import { partitionLimits } from '../limits.ts';
import { eventRecords, type PartitionMeta } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import type { Batch } from './batch.ts';
import type { DamagedRecords } from './damaged-records.ts';

interface Kept {
  readonly commit: number;
  readonly at: number;
  readonly lastIndex: number;
  readonly bytes: number;
  readonly isDamaged: boolean;
}

export class EventRetention {
  private readonly damaged: Pick<DamagedRecords, 'setAside'>;
  private reader: Reader | undefined;
  private oldest: Kept | undefined;

  constructor(damaged: Pick<DamagedRecords, 'setAside'>) {
    this.damaged = damaged;
  }

  open(reader: Reader): void {
    this.reader = reader;
    this.oldest = this.next();
  }

  /** `counters.eventBytes` includes the events of this batch already, and loses what is trimmed. */
  seal(batch: Batch, counters: PartitionMeta, now: number): void {
    const { eventBytesMax, eventSweepPerCommit, eventSweepOfBytesPerCommit } = partitionLimits;
    this.oldest ??= this.next();
    const sweepMax = counters.eventBytes > eventBytesMax ? eventSweepOfBytesPerCommit : eventSweepPerCommit;
    for (let swept = 0; swept < sweepMax && this.oldest !== undefined; swept += 1) {
      const { commit, lastIndex, bytes, isDamaged } = this.oldest;
      if (!isExcess(this.oldest, batch.commit, counters.eventBytes, now)) return;
      if (isDamaged) this.damaged.setAside(eventRecords.encode([commit]), batch);
      batch.delete(eventRecords, [commit]);
      counters.eventsTrimmedCommit = commit;
      counters.eventsTrimmedIndex = lastIndex;
      // Earlier versions did not count the bytes of their records: subtracting them might go below zero.
      counters.eventBytes = Math.max(0, counters.eventBytes - bytes);
      this.oldest = this.next(commit + 1);
    }
  }

  private next(from = 0): Kept | undefined {
    for (const { key, value } of this.reader!.range(eventRecords, [], { from, limit: 1 }))
      return { commit: key[0], ...describe(value), bytes: value.byteLength };
    return undefined;
  }
}

/** The events of a damaged record are unknown, so its last index is taken as out of reach. */
function describe(record: Uint8Array): Pick<Kept, 'at' | 'lastIndex' | 'isDamaged'> {
  const { at, events, damage } = readEvents(record);
  const isDamaged = damage !== undefined;
  return { at, lastIndex: isDamaged ? Number.MAX_SAFE_INTEGER : events.length - 1, isDamaged };
}

function isExcess({ at, commit }: Kept, newest: number, bytes: number, now: number): boolean {
  const { eventAgeMilliseconds, eventCommitsMax, eventBytesMax } = partitionLimits;
  return at + eventAgeMilliseconds < now || commit + eventCommitsMax < newest || bytes > eventBytesMax;
}
