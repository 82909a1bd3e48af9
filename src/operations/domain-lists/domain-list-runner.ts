/**
 * The effect that reads a subscribed list, on network threads. What differs is taken over slice by slice; a reading that
 * begins again, after a crash, finds only the rest.
 */
import { readDomainList } from '../../actors/instance/domain-lists/domain-lists.effects.ts';
import type { DomainListRead } from '../../actors/instance/domain-lists/domain-lists.messages.ts';
import { findDomainList } from '../../actors/instance/domain-lists/domain-lists.queries.ts';
import type { ReadRow } from '../../actors/instance/domain-lists/domain-lists.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import type { NetworkServices } from '../../services/network-services.ts';
import { changedRows, goneRows, storedDomains } from './compare-list.ts';
import { fetchList } from './fetch-list.ts';

/** What a reading needs. */
export type ReadingServices = Pick<
  NetworkServices,
  'addresses' | 'client' | 'now' | 'options' | 'slices' | 'snapshots'
>;

export function domainListRunner(
  services: ReadingServices,
  fetcher: Fetcher,
): readonly [number, EffectRunner<unknown, unknown>] {
  return runnerOf(readDomainList, async ({ listId, reading }): Promise<DomainListRead> => {
    const list = findDomainList(services.snapshots, listId);
    const about = { listId, reading };
    if (list?.reading === undefined || list.readings !== reading) return about;
    const { mayShrink } = list.reading;
    const read = await fetchList(services, fetcher, { ...list, mayShrink });
    if (typeof read === 'object' && 'problem' in read) return { ...about, ...read };
    const domains = read === 'unchanged' ? await services.slices.run(storedDomains(services, list)) : read.domains;
    // What ends goes first: it may have covered something else.
    await takeOver(services, about, await services.slices.run(goneRows(services, list, domains)));
    await takeOver(services, about, await services.slices.run(changedRows(services, list, domains)));
    if (read === 'unchanged') return about;
    const { unreadable, validators } = read;
    return { ...about, rows: domains.size, unreadable, validators };
  });
}

async function takeOver(
  { client }: ReadingServices,
  about: Pick<DomainListRead, 'listId' | 'reading'>,
  rows: readonly ReadRow[],
): Promise<void> {
  const { domainListRowsPerTurn: atOnce } = instanceLimits;
  for (let first = 0; first < rows.length; first += atOnce) {
    const some = rows.slice(first, first + atOnce);
    const { isOver } = await client.call(
      Instance.takeListedDomains.to(instanceKey, { ...about, rows: some }),
      'system',
    );
    if (isOver) return;
  }
}
