/** Reads appeals against strikes, for those among the staff who decide about them. */
import type { Id } from '../../../runtime/ids.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import { mergeIds } from '../../merge.ts';
import { type Page, type PageBounds, rangeOf, readsUpwards, takePage } from '../../pages.ts';
import { type AppealState, appealStates } from '../../policy/appeals.ts';
import type { Appeal } from '../notifications/notifications.records.ts';
import { appeals } from './appeals.state.ts';
import { findWarning, type StoredWarning } from './warnings.queries.ts';

export interface AppealedStrike {
  readonly accountId: Id;
  readonly strike: StoredWarning;
  readonly appeal: Appeal;
}

export function findAppeal(snapshots: Snapshots, appealId: Id): AppealedStrike | undefined {
  for (const partition of snapshots.partitions)
    for (const state of Object.values(appealStates)) {
      const listed = partition.get(appeals, [state, appealId]);
      const strike = listed && findWarning(partition, listed.accountId, listed.strikeId);
      if (listed !== undefined && strike?.appeal !== undefined)
        return { accountId: listed.accountId, strike, appeal: strike.appeal };
    }
  return undefined;
}

/** Of the whole server, latest first; the cursors are ids of appeals. */
export function appealsPage(snapshots: Snapshots, state: AppealState, bounds: PageBounds): Page<AppealedStrike> {
  const range = rangeOf(bounds);
  const sources = snapshots.partitions.map(function* (partition) {
    for (const { key } of partition.range(appeals, [appealStates[state]], range)) yield key[1];
  });
  return takePage(
    mergeIds(sources, readsUpwards(bounds) ? 'oldest first' : 'newest first'),
    bounds,
    (appealId) => appealId,
    (appealId) => findAppeal(snapshots, appealId),
  );
}
