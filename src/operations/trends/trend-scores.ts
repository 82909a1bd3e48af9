/**
 * What trends (specification 4.9): public statuses of the last seven days, each account counted once per use, the weight
 * halved for each day passed. On a busy server only the latest statuses are examined.
 */
import { SilencedAccounts } from '../../actors/account/profile/silenced.queries.ts';
import type { PageBounds } from '../../actors/pages.ts';
import type { ListedStatus } from '../../actors/timelines.queries.ts';
import { type Id, timeOfId } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;
export const trendLimits = {
  halfLifeMilliseconds: dayMilliseconds,
  ageMillisecondsMax: 7 * dayMilliseconds,
  /** Statuses examined, and how many between two pauses. */
  statusesMax: 5_000,
  statusesPerSlice: 128,
  /** Those that staff do not let trend among them. */
  namesMax: 80,
} as const;

/** Statuses that use names: of tags, or the addresses of pages. */
export interface UsingStatuses {
  /** Newest first. */
  entries(bounds: PageBounds): Iterable<ListedStatus>;
  namesIn(statusId: Id): Iterable<string>;
  /** So many accounts make a trend. */
  readonly accountsMin: number;
}

interface Use {
  readonly accounts: Set<Id>;
  readonly latestId: Id;
  score: number;
}

export interface Trend {
  readonly name: string;
  /** The latest status that uses it. */
  readonly latestId: Id;
}

export interface Trends {
  /** Strongest first. */
  readonly found: readonly Trend[];
  /** How many statuses were examined. */
  readonly examined: number;
}

/** Yields where other work may run. */
export function* trendsIn(snapshots: Snapshots, now: number, statuses: UsingStatuses): Generator<undefined, Trends> {
  const uses = new Map<string, Use>();
  const silenced = new SilencedAccounts(snapshots);
  const { statusesMax, statusesPerSlice, namesMax } = trendLimits;
  let before: Id | undefined;
  let examined = 0;
  for (let looked = 0; looked < statusesMax; looked += statusesPerSlice) {
    if (looked > 0) yield;
    const slice = latest(statuses, before, now);
    examined += slice.length;
    for (const [statusId, accountId] of slice) {
      if (!silenced.has(accountId)) note(uses, statuses.namesIn(statusId), statusId, accountId, now);
      before = statusId;
    }
    if (slice.length < statusesPerSlice) break;
  }
  const found = [...uses].filter(([, { accounts }]) => accounts.size >= statuses.accountsMin);
  found.sort(([, one], [, other]) => other.score - one.score);
  return { found: found.slice(0, namesMax).map(([name, { latestId }]) => ({ name, latestId })), examined };
}

/** The next statuses with their authors, newest first, within the period. */
function latest(statuses: UsingStatuses, maxId: Id | undefined, now: number): [Id, Id][] {
  const { statusesPerSlice: limit, ageMillisecondsMax } = trendLimits;
  const found: [Id, Id][] = [];
  for (const { id, entry } of statuses.entries({ maxId, limit })) {
    if (timeOfId(id) <= now - ageMillisecondsMax) break;
    if (found.push([id, entry.accountId]) === limit) break;
  }
  return found;
}

/** Statuses come newest first: the first one of an account with a name is its latest. */
function note(uses: Map<string, Use>, names: Iterable<string>, statusId: Id, accountId: Id, now: number): void {
  for (const name of names) {
    const use = uses.get(name) ?? { accounts: new Set(), latestId: statusId, score: 0 };
    uses.set(name, use);
    if (use.accounts.has(accountId)) continue;
    use.accounts.add(accountId);
    use.score += 0.5 ** ((now - timeOfId(statusId)) / trendLimits.halfLifeMilliseconds);
  }
}
