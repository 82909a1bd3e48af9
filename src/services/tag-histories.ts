/**
 * The use of tags on the last days. Lists of tags are asked for with each letter that somebody types, and counting the
 * uses of a busy tag takes milliseconds: its history is kept for some minutes. That of any other is counted each time.
 */

import { SilencedAccounts } from '../actors/account/profile/silenced.queries.ts';
import { dayOf } from '../actors/session/session.messages.ts';
import { type TagDay, type TagUse, tagHistory } from '../actors/tags.queries.ts';
import type { Clock } from '../runtime/ports.ts';
import { SizedMap } from '../runtime/sized-map.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import type { Caches } from './caches.ts';

interface Kept {
  readonly days: readonly TagDay[];
  /** By the monotonic clock. */
  readonly countedAt: number;
}

const keptMilliseconds = 5 * 60 * 1000;
/** Tags with as many statuses are kept, whoever wrote them. */
const busyUses = 250;
/** Of seven days (measured). */
const historyBytes = 600;

export interface TagHistoriesOptions extends Pick<Clock, 'now' | 'monotonic'> {
  readonly snapshots: Snapshots;
  readonly caches: Caches;
}

export class TagHistories {
  private readonly options: TagHistoriesOptions;
  private readonly kept: SizedMap<string, Kept>;
  private readonly underWay = new Set<string>();

  constructor(options: TagHistoriesOptions) {
    this.options = options;
    const bytesMax = options.caches.bytesMax('tagHistories');
    this.kept = new SizedMap({ bytesMax, bytesOf: (_kept, name) => historyBytes + 2 * name.length });
    options.caches.measure('tagHistories', this.kept);
  }

  /** Today first, seven days. In slices (see TimeSlices). */
  *of(name: string): Generator<undefined, readonly TagDay[]> {
    const { snapshots, now } = this.options;
    const today = dayOf(now());
    while (this.underWay.has(name)) yield;
    const kept = this.kept.use(name);
    if (kept !== undefined && kept.days[0]!.day === today && this.isRecent(kept)) return kept.days;
    this.underWay.add(name);
    try {
      const use = yield* tagHistory(snapshots, name, today, new SilencedAccounts(snapshots));
      this.keepIfBusy(name, use);
      return use.days;
    } finally {
      this.underWay.delete(name);
    }
  }

  private isRecent({ countedAt }: Kept): boolean {
    return countedAt > this.options.monotonic() - keptMilliseconds;
  }

  private keepIfBusy(name: string, { days, looked }: TagUse): void {
    if (looked >= busyUses) this.kept.set(name, { days, countedAt: this.options.monotonic() });
    else this.kept.delete(name);
  }
}
