/**
 * The use of tags on the last days. Lists of tags are asked for with each letter that somebody types, and counting the
 * uses of a busy tag takes milliseconds: its history is kept for some minutes. That of any other is kept until an event says
 * that its timeline, or whose statuses count, has changed.
 */

import { SilencedAccounts } from '../actors/account/profile/silenced.queries.ts';
import { cacheables } from '../actors/cacheables.ts';
import { dayOf } from '../actors/session/session.messages.ts';
import { tagHistory } from '../actors/tags.queries.ts';
import type { DayOfUse } from '../actors/uses.queries.ts';
import type { Clock } from '../runtime/ports.ts';
import { SizedMap } from '../runtime/sized-map.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import type { Caches } from './caches.ts';
import type { EventHub } from './event-hub.ts';

interface Kept {
  readonly days: readonly DayOfUse[];
  /** Of a busy tag, by the monotonic clock. */
  readonly countedAt: number | undefined;
  /** Of profiles, when it was counted: whether an account is silenced is part of its profile. */
  readonly profileChanges: number;
}

const keptMilliseconds = 5 * 60 * 1000;
/** Tags with as many statuses are kept, whoever wrote them. */
const busyUses = 250;
/** Of seven days (measured). */
const historyBytes = 600;

export interface TagHistoriesOptions extends Pick<Clock, 'now' | 'monotonic'> {
  readonly events: EventHub;
  readonly snapshots: Snapshots;
  readonly caches: Caches;
}

export class TagHistories {
  private readonly options: TagHistoriesOptions;
  private readonly kept: SizedMap<string, Kept>;
  private readonly underWay = new Set<string>();
  private tagChanges = 0;
  private profileChanges = 0;

  constructor(options: TagHistoriesOptions) {
    this.options = options;
    const bytesMax = options.caches.bytesMax('tagHistories');
    this.kept = new SizedMap({ bytesMax, bytesOf: (_kept, name) => historyBytes + 2 * name.length });
    options.caches.measure('tagHistories', this.kept);
    options.events.onInvalidation(cacheables.tagTimeline, (name) => this.timelineChanged(name));
    options.events.onInvalidation(cacheables.profile, () => {
      this.profileChanges += 1;
    });
    options.events.onLoss(() => this.timelineChanged(undefined));
  }

  /** Today first, seven days. In slices (see TimeSlices). */
  *of(name: string): Generator<undefined, readonly DayOfUse[]> {
    const { snapshots, now } = this.options;
    const today = dayOf(now());
    while (this.underWay.has(name)) yield;
    const kept = this.kept.use(name);
    if (kept !== undefined && kept.days[0]!.day === today && this.isTrue(kept)) return kept.days;
    this.underWay.add(name);
    const { tagChanges, profileChanges } = this;
    try {
      const use = yield* tagHistory(snapshots, name, today, new SilencedAccounts(snapshots));
      const isBusy = use.looked >= busyUses;
      if (isBusy) this.kept.set(name, { days: use.days, countedAt: this.options.monotonic(), profileChanges });
      else if (tagChanges === this.tagChanges)
        this.kept.set(name, { days: use.days, countedAt: undefined, profileChanges });
      else this.kept.delete(name);
      return use.days;
    } finally {
      this.underWay.delete(name);
    }
  }

  private isTrue({ countedAt, profileChanges }: Kept): boolean {
    if (countedAt === undefined) return profileChanges === this.profileChanges;
    return countedAt > this.options.monotonic() - keptMilliseconds;
  }

  /** Undefined for all tags. That of a busy tag may lag. */
  private timelineChanged(name: string | undefined): void {
    this.tagChanges += 1;
    for (const one of name === undefined ? [...this.kept].map(([key]) => key) : [name])
      if (this.kept.get(one)?.countedAt === undefined) this.kept.delete(one);
  }
}
