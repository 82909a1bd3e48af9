/** The servers of known remote accounts, and a search of their names by prefix. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { nameOfHost } from '../../actors/directory/directory.messages.ts';
import { isNameTaken, knownHostsPage } from '../../actors/directory/directory.queries.ts';
import { allPurges } from '../../actors/instance/servers/servers.queries.ts';
import { accountsOfHost } from '../../actors/search.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import { KeptResult } from '../../services/kept-result.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';

type PeerServices = Pick<Services, 'snapshots' | 'events' | 'members' | 'monotonic' | 'slices'>;

/** Long enough to use a hundredth of the time of a thread, and at most a minute. */
const shareOfTime = 0.01;
const keptMillisecondsMax = 60_000;
const keptFor = (_result: unknown, took: number) => Math.min(took / shareOfTime, keptMillisecondsMax);

const accountsPerSlice = 200;

/** Servers that staff have purged, of which nobody was met since. In slices (see TimeSlices). */
function* purgedServers({ snapshots }: PeerServices): Generator<undefined, Set<string>> {
  const purged = new Set<string>();
  let examined = 0;
  for (const { domain } of allPurges(snapshots)) {
    purged.add(domain);
    for (const partition of snapshots.partitions)
      for (const { isPurged } of accountsOfHost(partition, domain, 0n)) {
        examined += 1;
        if (examined % accountsPerSlice === 0) yield;
        if (isPurged === true) continue;
        purged.delete(domain);
        break;
      }
  }
  return purged;
}

/** One set for each thread. */
const keptPurged = member(
  (services: PeerServices) =>
    new KeptResult(services, async () => services.slices.run(purgedServers(services)), keptFor),
);

/** Of the servers that were counted when somebody of them became known, those that are known no longer. */
export async function countPurgedServers(services: PeerServices): Promise<number> {
  let count = 0;
  for (const domain of await keptPurged(services).get())
    if (isNameTaken(services.snapshots, nameOfHost(domain))) count += 1;
  return count;
}

/** Without those that staff suspend, and those that are known here no longer. */
async function listed(services: PeerServices): Promise<(hosts: readonly string[]) => string[]> {
  const purged = await keptPurged(services).get();
  return (hosts) => {
    const policy = domainPolicy(services);
    if (policy.isEmpty && purged.size === 0) return [...hosts];
    return hosts.filter((host) => !policy.isSuspended(host) && !purged.has(host));
  };
}

/** Read in one go before other work runs. */
const hostsPerSlice = 500;

/** In the order in which each partition first knew them. */
export async function knownServers(services: PeerServices): Promise<string[]> {
  const { snapshots } = services;
  const chosen = await listed(services);
  const hosts: string[] = [];
  for (const partition of snapshots.partitions) {
    let from: Id | undefined;
    do {
      const slice = knownHostsPage(partition, from, hostsPerSlice);
      hosts.push(...chosen(slice.hosts));
      from = slice.next;
      if (from !== undefined) await nextTurn();
    } while (from !== undefined);
  }
  return hosts;
}

/** Sorted; one list for each thread, because a read visits all hosts. */
const sortedServers = member((services: PeerServices) => {
  const read = async () => (await knownServers(services)).sort();
  return new KeptResult(services, read, keptFor);
});

/** The first `limit` in alphabetical order. */
export async function serversBeginningWith(services: PeerServices, typed: string, limit: number): Promise<string[]> {
  const beginning = typed.trim().toLowerCase();
  if (beginning === '') return [];
  const names = await sortedServers(services).get();
  const first = firstFrom(names, beginning);
  const end = names.slice(first, first + limit).findIndex((name) => !name.startsWith(beginning));
  const chosen = await listed(services);
  return chosen(names.slice(first, end === -1 ? first + limit : first + end));
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
