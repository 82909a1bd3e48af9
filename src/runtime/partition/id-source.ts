/**
 * The ids of a partition's slots: rising over restarts, failed appends, and clocks that go back a little.
 *
 * A clock that was wrong by years for a moment must not determine ids for ever. The range that a forward jump skipped
 * is stored as a gap in which no id was ever given: once the clock is right again, ids continue in the gap.
 *
 * INVARIANT no id is given twice: ids given in a gap stay below its end, all others above the highest id.
 */
import { type Id, IdGenerator } from '../ids.ts';
import { partitionLimits } from '../limits.ts';
import type { Problem } from '../ports.ts';
import type { PartitionMeta } from '../storage/machine.ts';

type StoredIds = Pick<PartitionMeta, 'idMillisecondsMax' | 'idGapFrom' | 'idGapUntil'>;

const { idsAheadMillisecondsMax: aheadMax } = partitionLimits;

export class IdSource {
  private readonly report: (problem: Problem) => void;
  private readonly generators = new Map<number, IdGenerator>();
  private floor = 0;
  private highest = 0;
  /** No id lies between the two (both excluded). */
  private gapFrom = 0;
  private gapUntil = 0;
  private isInGap = false;
  private hasReported = false;

  constructor(report: (problem: Problem) => void) {
    this.report = report;
  }

  /** Ids of turns that were lost are not reused either. */
  open({ idMillisecondsMax, idGapFrom, idGapUntil }: StoredIds): void {
    if (this.highest === 0) [this.gapFrom, this.gapUntil] = [idGapFrom, idGapUntil];
    this.highest = Math.max(idMillisecondsMax, this.highest);
    this.goOnAbove(this.highest);
    this.isInGap = false;
  }

  /** True when ids may leave without storing anything first. */
  isStoredIn({ idMillisecondsMax, idGapFrom }: StoredIds): boolean {
    return this.highest <= idMillisecondsMax && this.gapFrom <= idGapFrom;
  }

  storeIn(counters: StoredIds): void {
    counters.idMillisecondsMax = this.highest;
    counters.idGapFrom = this.gapFrom;
    counters.idGapUntil = this.gapUntil;
  }

  next(slot: number, now: number): Id {
    this.follow(now);
    let generator = this.generators.get(slot);
    if (generator === undefined) {
      generator = new IdGenerator(slot, this.floor);
      this.generators.set(slot, generator);
    }
    const id = generator.next(now);
    if (this.isInGap) this.gapFrom = Math.max(this.gapFrom, generator.lastMillisecond);
    else if (generator.lastMillisecond > this.highest) this.highest = generator.lastMillisecond;
    return id;
  }

  private follow(now: number): void {
    if (this.isInGap) {
      if (this.isGapAt(now)) return;
      this.isInGap = false;
      this.goOnAbove(this.highest);
    }
    if (now - this.highest > aheadMax) this.passOver(now);
    else if (this.highest - now > aheadMax) this.fallBack(now);
  }

  private passOver(now: number): void {
    if (this.highest === 0 || now - this.highest < this.gapUntil - this.gapFrom) return;
    this.gapFrom = this.highest;
    this.gapUntil = now;
  }

  private fallBack(now: number): void {
    this.isInGap = this.isGapAt(now);
    if (this.isInGap) this.goOnAbove(this.gapFrom);
    if (this.hasReported) return;
    this.hasReported = true;
    const then = new Date(this.highest).toISOString();
    const consequence = this.isInGap ? 'ids are of the present again' : 'ids stay of that time until then';
    this.report({ level: 'error', message: `the clock was once ahead, at ${then}: ${consequence}` });
  }

  /** Far enough from the gap's end that no burst of ids reaches it. */
  private isGapAt(now: number): boolean {
    return Math.max(now, this.gapFrom) < this.gapUntil - aheadMax && now > this.gapFrom - aheadMax;
  }

  private goOnAbove(millisecond: number): void {
    this.generators.clear();
    this.floor = millisecond + 1;
  }
}

interface Interval {
  readonly from: number;
  readonly until: number;
}

/** For a partition that takes over slots of several others: the result allows no id that any of them may have given. */
export function mergedIds(all: readonly StoredIds[]): StoredIds {
  const idMillisecondsMax = Math.max(0, ...all.map((ids) => ids.idMillisecondsMax));
  const whole: Interval[] = [{ from: 0, until: idMillisecondsMax }];
  const free = all.reduce((left, ids) => left.flatMap((interval) => freeWithin(interval, ids)), whole);
  const [widest] = free.sort((one, other) => other.until - other.from - (one.until - one.from));
  return { idMillisecondsMax, idGapFrom: widest?.from ?? 0, idGapUntil: widest?.until ?? 0 };
}

/** The part of the interval in which no id was given: in the gap, or above the highest. Both ends are excluded. */
function freeWithin(interval: Interval, { idMillisecondsMax, idGapFrom = 0, idGapUntil = 0 }: StoredIds): Interval[] {
  const gap = { from: idGapFrom, until: idGapUntil };
  const above = { from: idMillisecondsMax, until: Number.POSITIVE_INFINITY };
  return [gap, above]
    .map(({ from, until }) => ({ from: Math.max(from, interval.from), until: Math.min(until, interval.until) }))
    .filter(({ from, until }) => from + 1 < until);
}
