/** Finds the old statuses of other servers in a slot that nobody here uses. */
import { everyStatus } from '../../actors/account/everything.queries.ts';
import { concernsLocals, isInUse } from '../../actors/account/remote/forgettable.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { isFetchable } from '../../actors/policy/forgettable.ts';
import { firstIdAt, type Id } from '../../runtime/ids.ts';
import { unlessDamaged } from '../../runtime/storage/reader.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import { inParts } from './find-kept.ts';
import type { Marks } from './marks.ts';
import type { Pauses } from './pauses.ts';

/** Of one slot in one run; the rest goes with the next. */
const foundMax = 50_000;

export interface Unused {
  readonly id: Id;
  readonly accountId: Id;
}

export interface Found {
  /** Newest first: replies before what they answer. */
  readonly unused: readonly Unused[];
  /** Statuses of other servers from before the time. */
  readonly examined: number;
}

export async function findUnused(
  snapshots: Snapshots,
  { slot, before }: { readonly slot: number; readonly before: number },
  marks: Pick<Marks, 'has'>,
  pauses: Pauses,
): Promise<Found> {
  const end = firstIdAt(before);
  const candidates: Unused[] = [];
  let examined = 0;
  for await (const statuses of inParts(snapshots, slot, everyStatus, pauses)) {
    for (const status of statuses) {
      if (status.id >= end || !isFetchable(status)) continue;
      examined += 1;
      if (isMarked(marks, status) || concernsLocals(snapshots, status)) continue;
      candidates.push({ id: status.id, accountId: status.accountId });
    }
    if (statuses.at(-1)!.id >= end || candidates.length >= foundMax) break;
  }
  const gone = new Set<Id>();
  const unused: Unused[] = [];
  for (const candidate of candidates.reverse()) {
    await pauses.ifDue();
    // A damaged entry is no reason to forget anything.
    if (unlessDamaged(() => isInUse(snapshots, candidate, before, gone)) !== false) continue;
    gone.add(candidate.id);
    unused.push(candidate);
  }
  return { unused, examined };
}

/** Also where people here have written in its thread, so that they can read all of it. */
export function isMarked(marks: Pick<Marks, 'has'>, { id, threadId }: Status): boolean {
  return marks.has(id) || (threadId !== undefined && marks.has(threadId));
}
