/** How many statuses of other servers would go by rule, for rules of some ages: counted as the rule finds them. */

import { findRetention } from '../../actors/instance/retention/retention.queries.ts';
import type { RetentionRun } from '../../actors/instance/retention/retention.records.ts';
import { findKept, slotsFrom } from '../../operations/retention/find-kept.ts';
import { findUnused } from '../../operations/retention/find-unused.ts';
import { Marks } from '../../operations/retention/marks.ts';
import { Pauses } from '../../operations/retention/pauses.ts';
import { timeOfId } from '../../runtime/ids.ts';
import { evenPlacement } from '../../runtime/placement.ts';
import type { HeldFile } from '../../runtime/storage/lmdb-snapshot.ts';
import { Snapshots } from '../../runtime/storage/snapshots.ts';
import { systemClock } from '../../runtime/threads/clock.ts';

export interface UnusedStatuses {
  /** The rule in force; 0 for none. */
  readonly days: number;
  readonly nextAt?: number | undefined;
  readonly run?: RetentionRun | undefined;
  /** How many are older than so many days, youngest first. */
  readonly olderThan: readonly { readonly days: number; readonly statuses: number }[];
}

const dayMilliseconds = 86_400_000;
const ages: readonly number[] = [30, 90, 180, 365];

/** Holds nothing while it rests. Rejects with the reason of the signal. */
export async function countUnused(
  partitions: readonly HeldFile[],
  now: number,
  signal?: AbortSignal,
): Promise<UnusedStatuses> {
  const snapshots = new Snapshots(
    evenPlacement(partitions.length),
    partitions.map(({ reader }) => reader),
  );
  const rest = () => {
    signal?.throwIfAborted();
    for (const partition of partitions) partition.release();
    snapshots.beginReads();
  };
  const { days = 0, nextAt, run } = findRetention(snapshots) ?? {};
  const counts = new Map(
    [...new Set([...ages, ...(days > 0 ? [days] : [])])].sort((a, b) => a - b).map((age) => [age, 0]),
  );
  const pauses = new Pauses(systemClock, rest);
  const marks = new Marks(now | 0);
  await findKept(snapshots, marks, pauses);
  const before = now - Math.min(...counts.keys()) * dayMilliseconds;
  for (const slot of slotsFrom(snapshots, 0)) {
    const { unused } = await findUnused(snapshots, { slot, before }, marks, pauses);
    for (const { id } of unused)
      for (const [age, count] of counts) if (timeOfId(id) < now - age * dayMilliseconds) counts.set(age, count + 1);
  }
  rest();
  return { days, nextAt, run, olderThan: Array.from(counts, ([age, statuses]) => ({ days: age, statuses })) };
}
