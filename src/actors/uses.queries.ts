/** How often statuses have used something lately: a tag, a link. */
import { type Id, timeOfId } from '../runtime/ids.ts';
import type { PageBounds } from './pages.ts';
import { dayOf } from './session/session.messages.ts';
import type { ListedStatus } from './timelines.queries.ts';

/** Statuses counted. */
const countedMax = 10_000;
const countedPerSlice = 250;
const historyDays = 7;

export interface DayOfUse {
  /** Days since 1970. */
  readonly day: number;
  readonly uses: number;
  readonly accounts: number;
}

export interface RecentUse {
  /** Seven days, today first. */
  readonly days: readonly DayOfUse[];
  /** Statuses looked at. */
  readonly looked: number;
}

/**
 * On each of the last seven days, today first, without those by silenced accounts (specification 4.9); of very many only
 * the latest uses are counted. `entriesIn`: the statuses that use it. In slices (see TimeSlices).
 */
export function* recentUse(
  entriesIn: (bounds: PageBounds) => Iterable<ListedStatus>,
  today: number,
  silenced: Pick<ReadonlySet<Id>, 'has'>,
): Generator<undefined, RecentUse> {
  const counted = Array.from({ length: historyDays }, () => ({ uses: 0, accounts: new Set<Id>() }));
  const use = (looked: number) => ({
    days: counted.map((day, age) => ({ day: today - age, uses: day.uses, accounts: day.accounts.size })),
    looked,
  });
  let maxId: Id | undefined;
  let looked = 0;
  while (looked < countedMax) {
    if (looked > 0) yield;
    const last = looked + countedPerSlice;
    for (const { id, entry } of entriesIn({ maxId, limit: countedPerSlice })) {
      const age = today - dayOf(timeOfId(id));
      if (age >= historyDays) return use(looked);
      if (!silenced.has(entry.accountId)) {
        const day = counted[Math.max(0, age)]!;
        day.uses += 1;
        day.accounts.add(entry.accountId);
      }
      maxId = id;
      looked += 1;
      if (looked === last) break;
    }
    if (looked < last) break;
  }
  return use(looked);
}
