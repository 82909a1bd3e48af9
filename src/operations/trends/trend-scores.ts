/**
 * Which tags trend (specification 4.9): public statuses of the last seven days, each account counted once per tag, the
 * weight halved for each day passed. On a busy server only the latest statuses are examined.
 */
import { SilencedAccounts } from '../../actors/account/profile/silenced.queries.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { publicEntries } from '../../actors/timelines.queries.ts';
import { type Id, timeOfId } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;
export const trendLimits = {
  halfLifeMilliseconds: dayMilliseconds,
  ageMillisecondsMax: 7 * dayMilliseconds,
  /** Statuses examined, and how many between two pauses. */
  statusesMax: 5_000,
  statusesPerSlice: 128,
  tagsMax: 40,
} as const;

interface Use {
  readonly accounts: Set<Id>;
  score: number;
}

export interface Trends {
  /** Strongest first. */
  readonly names: readonly string[];
  /** How many statuses were examined. */
  readonly examined: number;
}

/** Yields where other work may run. */
export function* trendingTags(
  snapshots: Snapshots,
  now: number,
  disallowed: ReadonlySet<string>,
): Generator<undefined, Trends> {
  const uses = new Map<string, Use>();
  const silenced = new SilencedAccounts(snapshots);
  const { statusesMax, statusesPerSlice, tagsMax } = trendLimits;
  let before: Id | undefined;
  let examined = 0;
  for (let looked = 0; looked < statusesMax; looked += statusesPerSlice) {
    if (looked > 0) yield;
    const slice = latestPublic(snapshots, before, now);
    examined += slice.length;
    for (const [statusId, accountId] of slice) {
      if (!silenced.has(accountId)) note(snapshots, uses, statusId, accountId, now);
      before = statusId;
    }
    if (slice.length < statusesPerSlice) break;
  }
  const names = [...uses.keys()].filter((name) => !disallowed.has(name));
  names.sort((one, other) => uses.get(other)!.score - uses.get(one)!.score);
  return { names: names.slice(0, tagsMax), examined };
}

/** The next statuses with their authors, newest first, within the period. */
function latestPublic(snapshots: Snapshots, maxId: Id | undefined, now: number): [Id, Id][] {
  const { statusesPerSlice: limit, ageMillisecondsMax } = trendLimits;
  const found: [Id, Id][] = [];
  for (const { id, entry } of publicEntries(snapshots, 'all', { maxId, limit })) {
    if (timeOfId(id) <= now - ageMillisecondsMax) break;
    if (found.push([id, entry.accountId]) === limit) break;
  }
  return found;
}

/** Statuses come newest first: the first one of an account with a tag is its latest. */
function note(snapshots: Snapshots, uses: Map<string, Use>, statusId: Id, accountId: Id, now: number): void {
  for (const { name } of findStatusRecord(snapshots, statusId)?.tags ?? []) {
    const use = uses.get(name) ?? { accounts: new Set(), score: 0 };
    uses.set(name, use);
    if (use.accounts.has(accountId)) continue;
    use.accounts.add(accountId);
    use.score += 0.5 ** ((now - timeOfId(statusId)) / trendLimits.halfLifeMilliseconds);
  }
}
