/** Keeps the event log within its age and count: each commit that writes sweeps a few of the oldest. */
import { partitionLimits } from '../limits.ts';
import { events } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import type { Batch } from './batch.ts';

export class EventRetention {
  private reader: Reader | undefined;
  private oldest: { commit: number; at: number } | undefined;

  open(reader: Reader): void {
    this.reader = reader;
    this.oldest = this.next();
  }

  seal(batch: Batch, now: number): void {
    this.oldest ??= this.next();
    for (let swept = 0; swept < partitionLimits.eventSweepPerCommit && this.oldest !== undefined; swept += 1) {
      const { commit, at } = this.oldest;
      const expired =
        at + partitionLimits.eventAgeMilliseconds < now || commit + partitionLimits.eventCommitsMax < batch.commit;
      if (!expired) return;
      batch.delete(events, [commit]);
      this.oldest = this.next(commit + 1);
    }
  }

  private next(from = 0): { commit: number; at: number } | undefined {
    for (const { key, value } of this.reader!.range(events, [], { from, limit: 1 }))
      return { commit: key[0], at: value.at };
    return undefined;
  }
}
