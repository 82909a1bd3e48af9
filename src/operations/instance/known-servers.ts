/** The servers of known remote accounts, and a search of their names by prefix. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { knownHostsPage } from '../../actors/directory/directory.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import { KeptResult } from '../../services/kept-result.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';

/** Read in one go before other work runs. */
const hostsPerSlice = 500;

/** In the order in which each partition first knew them. */
export async function knownServers({ snapshots }: Pick<Services, 'snapshots'>): Promise<string[]> {
  const hosts: string[] = [];
  for (const partition of snapshots.partitions) {
    let from: Id | undefined;
    do {
      const slice = knownHostsPage(partition, from, hostsPerSlice);
      hosts.push(...slice.hosts);
      from = slice.next;
      if (from !== undefined) await nextTurn();
    } while (from !== undefined);
  }
  return hosts;
}

/** A read visits all hosts: the list is kept long enough to use a hundredth of the time, and at most a minute. */
const shareOfTime = 0.01;
const keptMillisecondsMax = 60_000;

/** Sorted; one list for each thread. */
const sortedServers = member((services: Pick<Services, 'snapshots' | 'monotonic'>) => {
  const read = async () => (await knownServers(services)).sort();
  return new KeptResult(services, read, (_names, took) => Math.min(took / shareOfTime, keptMillisecondsMax));
});

/** The first `limit` in alphabetical order. */
export async function serversBeginningWith(
  services: Pick<Services, 'snapshots' | 'monotonic' | 'members'>,
  typed: string,
  limit: number,
): Promise<string[]> {
  const beginning = typed.trim().toLowerCase();
  if (beginning === '') return [];
  const names = await sortedServers(services).get();
  const first = firstFrom(names, beginning);
  const end = names.slice(first, first + limit).findIndex((name) => !name.startsWith(beginning));
  return names.slice(first, end === -1 ? first + limit : first + end);
}

/** The index of the first name not below `beginning`. */
function firstFrom(names: readonly string[], beginning: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (names[middle]! < beginning) low = middle + 1;
    else high = middle;
  }
  return low;
}
