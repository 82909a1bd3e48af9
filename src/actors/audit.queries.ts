/** Reads the audit log. */
import { type Id, slotOfId } from '../runtime/ids.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import {
  type AuditEntry,
  type AuditMoments,
  type AuditTarget,
  auditActionNames,
  auditActions,
} from './audit.records.ts';
import { type AuditFacet, auditEntries, auditIndex, lastAuditMoment, nameOfFacet } from './audit.state.ts';
import { mergeIds } from './merge.ts';
import { type Page, type PageBounds, rangeOf, readsUpwards, takePage } from './pages.ts';

/** Entries must match all that is given. */
export interface AuditFilter {
  readonly by?: AuditEntry['by'] | undefined;
  readonly accountId?: Id | undefined;
  readonly action?: AuditEntry['action'] | undefined;
  readonly target?: AuditTarget | undefined;
  /** Needs a `target`. */
  readonly targetId?: string | undefined;
}

export interface StoredAuditEntry extends AuditEntry {
  readonly id: Id;
}

/** How far the log has come: whatever is written to it later has a later moment in its partition. */
export function auditMoments({ partitions }: Snapshots): AuditMoments {
  return partitions.map((partition) => partition.get(lastAuditMoment, [0])?.moment ?? 0);
}

/** Whether it was written after the log had come so far. */
export function isAuditedSince({ placement }: Snapshots, entry: StoredAuditEntry, known: AuditMoments): boolean {
  return (entry.moment ?? 0) > (known[placement.partitionOf(slotOfId(entry.id))] ?? 0);
}

export function findAuditEntry({ partitions, placement }: Snapshots, entryId: Id): StoredAuditEntry | undefined {
  const entry = partitions[placement.partitionOf(slotOfId(entryId))]!.get(auditEntries, [entryId]);
  return entry && { id: entryId, ...entry };
}

/**
 * Newest first, over all partitions. Entries of one millisecond are ordered by the slots of the actors that wrote them, those of
 * one actor as it wrote them: the same in every read.
 */
export function auditPage(snapshots: Snapshots, filter: AuditFilter, bounds: PageBounds): Page<StoredAuditEntry> {
  const facets = narrowestOf(filter);
  const range = rangeOf(bounds);
  const sources = snapshots.partitions.flatMap((partition) => {
    if (facets === undefined) return [idsOf(partition.range(auditEntries, [], range), ([entryId]) => entryId)];
    return facets.map((facet) =>
      idsOf(partition.range(auditIndex, [nameOfFacet(facet)], range), ([, entryId]) => entryId),
    );
  });
  const ids = mergeIds(sources, readsUpwards(bounds) ? 'oldest first' : 'newest first');
  return takePage(
    ids,
    bounds,
    (entryId) => entryId,
    (entryId) => {
      const entry = findAuditEntry(snapshots, entryId);
      return entry !== undefined && matches(entry, filter) ? entry : undefined;
    },
  );
}

function* idsOf<Key>(entries: Iterable<{ readonly key: Key }>, idOf: (key: Key) => Id): Generator<Id> {
  for (const { key } of entries) yield idOf(key);
}

/** Facets of which every entry that is looked for has one. Undefined where it may be any entry. */
function narrowestOf({ by, accountId, action, target, targetId }: AuditFilter): readonly AuditFacet[] | undefined {
  if (target !== undefined && targetId !== undefined) return [{ target, targetId }];
  if (by !== undefined && (by !== 'account' || accountId !== undefined)) return [{ by, accountId }];
  if (action !== undefined) return [{ action }];
  if (target === undefined) return undefined;
  return auditActionNames.filter((name) => auditActions[name] === target).map((name) => ({ action: name }));
}

function matches(entry: AuditEntry, { by, accountId, action, target, targetId }: AuditFilter): boolean {
  return (
    (by === undefined || entry.by === by) &&
    (accountId === undefined || entry.accountId === accountId) &&
    (action === undefined || entry.action === action) &&
    (target === undefined || auditActions[entry.action] === target) &&
    (targetId === undefined || entry.targetId === targetId)
  );
}
