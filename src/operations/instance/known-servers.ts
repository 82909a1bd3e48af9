/** The servers of known remote accounts, and a search of their names by prefix. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { knownHostsPage } from '../../actors/directory/directory.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import { KeptResult } from '../../services/kept-result.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';

type PeerServices = Pick<Services, 'snapshots' | 'events' | 'members'>;

function notSuspended(services: PeerServices, hosts: readonly string[]): string[] {
  const policy = domainPolicy(services);
  return policy.isEmpty ? [...hosts] : hosts.filter((host) => !policy.isSuspended(host));
}

/** Read in one go before other work runs. */
const hostsPerSlice = 500;

/** Without those that staff suspend; in the order in which each partition first knew them. */
export async function knownServers(services: PeerServices): Promise<string[]> {
  const { snapshots } = services;
  const hosts: string[] = [];
  for (const partition of snapshots.partitions) {
    let from: Id | undefined;
    do {
      const slice = knownHostsPage(partition, from, hostsPerSlice);
      hosts.push(...notSuspended(services, slice.hosts));
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
const sortedServers = member((services: PeerServices & Pick<Services, 'monotonic'>) => {
  const read = async () => (await knownServers(services)).sort();
  return new KeptResult(services, read, (_names, took) => Math.min(took / shareOfTime, keptMillisecondsMax));
});

/** The first `limit` in alphabetical order. */
export async function serversBeginningWith(
  services: PeerServices & Pick<Services, 'monotonic'>,
  typed: string,
  limit: number,
): Promise<string[]> {
  const beginning = typed.trim().toLowerCase();
  if (beginning === '') return [];
  const names = await sortedServers(services).get();
  const first = firstFrom(names, beginning);
  const end = names.slice(first, first + limit).findIndex((name) => !name.startsWith(beginning));
  return notSuspended(services, names.slice(first, end === -1 ? first + limit : first + end));
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
