/** Reads the statuses that trend. */
import { type Id, slotOfId } from '../../../runtime/ids.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import { rankMin } from '../../policy/trends.ts';
import { rankedStatuses, ranksOfStatuses } from './ranks.state.ts';

export interface RankedStatus {
  readonly id: Id;
  readonly accountId: Id;
  readonly language: string | undefined;
  readonly rank: number;
}

/** Those that have not faded, strongest first; the newer of two with the same rank. */
export function strongestStatuses(snapshots: Snapshots, now: number, limit: number): RankedStatus[] {
  const found = snapshots.partitions.flatMap((partition) =>
    Array.from(
      partition.range(rankedStatuses, [], { from: rankMin(now), reverse: true, limit }),
      ({ key: [rank, id], value: { accountId, language } }) => ({ id, accountId, language, rank }),
    ),
  );
  found.sort((one, other) => other.rank - one.rank || (one.id < other.id ? 1 : -1));
  return found.slice(0, limit);
}

/** Whether the status has not stopped to trend since it was found: by its removal, or a change of it. */
export function isRanked({ partitions, placement }: Snapshots, statusId: Id): boolean {
  return partitions[placement.partitionOf(slotOfId(statusId))]!.get(ranksOfStatuses, [statusId]) !== undefined;
}
