/** Finds the statuses that accounts here keep although their authors know nothing of it. */
import {
  type EntryKey,
  type EveryEntry,
  everyKept,
  everyLogin,
  soundStatus,
  statusIdsOf,
} from '../../actors/account/everything.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import { slotsOfPartitions } from '../../runtime/placement.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Marks } from './marks.ts';
import type { Pauses } from './pauses.ts';

/** Between two looks at the clock: about a millisecond. */
const readAtOnce = 100;

/**
 * Marks bookmarks, what notifications, filters, reports and scheduled posts name, what people here have boosted, quoted or
 * answered, and the threads in which they have written.
 */
export async function findKept(snapshots: Snapshots, marks: Marks, pauses: Pauses): Promise<void> {
  const mark = (ids: readonly (Id | undefined)[]) => {
    for (const id of ids) if (id !== undefined) marks.add(id);
  };
  for (const slot of slotsFrom(snapshots, 0)) {
    for (const every of everyKept) for await (const some of inParts(snapshots, slot, every, pauses)) some.forEach(mark);
    for await (const accounts of inParts(snapshots, slot, everyLogin, pauses))
      for (const accountId of accounts) await markOwn(snapshots, accountId, mark, pauses);
  }
}

/** In their order. */
export function slotsFrom({ placement }: Snapshots, from: number): number[] {
  const slots = slotsOfPartitions(placement).flatMap(({ first, count }) =>
    Array.from({ length: count }, (_, number) => first + number),
  );
  return slots.filter((slot) => slot >= from).sort((one, other) => one - other);
}

/** The entries of a slot, some at a time. */
export async function* inParts<Item>(
  snapshots: Snapshots,
  slot: number,
  every: EveryEntry<Item>,
  pauses: Pauses,
): AsyncGenerator<readonly Item[]> {
  let after: EntryKey | undefined;
  for (;;) {
    const items: Item[] = [];
    for (const { key, item } of every(snapshots, slot, after)) {
      items.push(item);
      after = key;
      if (items.length === readAtOnce) break;
    }
    if (items.length > 0) yield items;
    await pauses.ifDue();
    if (items.length < readAtOnce) return;
  }
}

/** What the statuses of a local account refer to. */
async function markOwn(
  snapshots: Snapshots,
  accountId: Id,
  mark: (ids: readonly (Id | undefined)[]) => void,
  pauses: Pauses,
): Promise<void> {
  for (let after: Id | undefined = 0n; after !== undefined; ) {
    const ids: Id[] = [];
    for (const id of statusIdsOf(snapshots, accountId, after)) {
      ids.push(id);
      if (ids.length === readAtOnce) break;
    }
    for (const id of ids) {
      const status = soundStatus(snapshots, id);
      mark([id, status?.threadId, status?.inReplyToId, status?.reblogOfId, status?.quote?.statusId]);
    }
    after = ids.length < readAtOnce ? undefined : ids.at(-1);
    await pauses.ifDue();
  }
}
