/** Tells what a list would change, on a network thread. Nothing is changed. */
import { findDomainList } from '../../actors/instance/domain-lists/domain-lists.queries.ts';
import type { DomainListSubscription, ReadRow } from '../../actors/instance/domain-lists/domain-lists.records.ts';
import { type ListedChange, listedChange } from '../../actors/instance/domain-lists/listed-domains.queries.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import type { ListToTry, TriedList, TriedOutcome, TriedRow } from '../../services/domain-lists.ts';
import { changedRows, goneRows } from './compare-list.ts';
import type { ReadingServices } from './domain-list-runner.ts';
import { fetchList } from './fetch-list.ts';

/** The rest is only counted. */
const rowsShownMax = 500;
const none = { begins: 0, changes: 0, ends: 0, suggested: 0, nothing: 0 };

export async function triedList(
  services: ReadingServices,
  fetcher: Fetcher,
  { listId, settings }: ListToTry,
): Promise<TriedList> {
  const known = listId === undefined ? undefined : findDomainList(services.snapshots, listId);
  const list = { ...unknownList(services.now()), ...known, ...settings };
  const { rows: before } = settings.url === known?.url ? list : { rows: 0 };
  const read = await fetchList(services, fetcher, { ...settings, rows: before, mayShrink: false });
  const nothing = { domains: 0, unreadable: 0, rows: [], counts: none };
  // Without validators it is sent in any case.
  if (read === 'unchanged') return { ...nothing, problem: 'invalid', detail: 'it was not sent' };
  if ('problem' in read) return { ...nothing, problem: read.problem, detail: read.detail };
  const { domains, unreadable } = read;
  const changed = [
    ...(await services.slices.run(goneRows(services, list, domains))),
    ...(await services.slices.run(changedRows(services, list, domains))),
  ];
  const rows = changed.flatMap((row) => {
    const change = listedChange(services.snapshots, list, row, services.now());
    return change === undefined ? [] : triedRow(row, change);
  });
  const counts = { ...none };
  for (const { outcome } of rows) counts[outcome] += 1;
  const first = [...rows].sort((one, other) => Number(one.outcome === 'nothing') - Number(other.outcome === 'nothing'));
  return { detail: '', domains: domains.size, unreadable, rows: first.slice(0, rowsShownMax), counts };
}

/** A list that nobody has subscribed to: no list has its id. */
function unknownList(now: number): Omit<DomainListSubscription, keyof ListToTry['settings']> {
  const counts = { entries: 0, inForce: 0, suggested: 0, readings: 0, rows: 0, unreadable: 0, failures: 0 };
  return { id: 0n, createdAt: now, dueAt: now, ...counts };
}

function triedRow({ domain, listed, follows = 0 }: ReadRow, change: ListedChange): TriedRow {
  return { domain, listed, follows, outcome: outcomeOf(change), state: change.after?.state };
}

function outcomeOf({ before, after }: ListedChange): TriedOutcome {
  if (after?.state === 'suggested') return 'suggested';
  if (after?.inForce === undefined) return before?.inForce === undefined ? 'nothing' : 'ends';
  return before?.inForce === undefined ? 'begins' : 'changes';
}
