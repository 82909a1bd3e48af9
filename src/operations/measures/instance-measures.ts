/** What this server knows of another one. Totals are of all times, as in Mastodon. */

import { statusIdsOf } from '../../actors/account/everything.queries.ts';
import { followerIdsOf, followIdsOf } from '../../actors/account/relationships/relationships.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { allListedReports } from '../../actors/account/reports/reports.queries.ts';
import { knownHostsPage } from '../../actors/directory/directory.queries.ts';
import { firstOf } from '../../actors/policy/domains.ts';
import { accountIdsOfHost } from '../../actors/search.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { otherDomain } from '../administration/domain-names.ts';
import { type Asked, DayCounts, eachOf, type Figures } from './measure.ts';

type DomainAsked = Pick<Asked, 'services' | 'about'>;

/** Throws Failure validation. */
export function domainOf({ services, about }: DomainAsked): string {
  return otherDomain(services, about.domain ?? '');
}

function isOf(domain: string, host: string): boolean {
  return firstOf(host, (one) => (one === domain ? one : undefined)) !== undefined;
}

function* hostsOf({ services, about }: DomainAsked): Generator<undefined, string[]> {
  const domain = domainOf({ services, about });
  if (about.includesSubdomains !== true) return [domain];
  const hosts = [domain];
  for (const partition of services.snapshots.partitions) {
    let from: Id | undefined;
    do {
      const page = knownHostsPage(partition, from, 500);
      hosts.push(...page.hosts.filter((host) => isOf(domain, host)));
      from = page.next;
      yield;
    } while (from !== undefined);
  }
  return [...new Set(hosts)];
}

/** Its known accounts. */
export function* accountsAt(asked: DomainAsked): Generator<undefined, Id[]> {
  const found: Id[] = [];
  for (const host of yield* hostsOf(asked))
    for (const partition of asked.services.snapshots.partitions)
      yield* eachOf(accountIdsOfHost(partition, host), (id) => found.push(id));
  return found;
}

export function* instanceAccounts(asked: Asked): Generator<undefined, Figures> {
  const counts = new DayCounts(asked.days);
  const ids = yield* accountsAt(asked);
  for (const id of ids) counts.addId(id);
  return { total: ids.length, byDay: counts.byDay };
}

/** What belongs to its accounts, by the time of ids. */
function ofAccounts(idsOf: (reader: Reader, accountId: Id) => Iterable<Id>) {
  return function* (asked: Asked): Generator<undefined, Figures> {
    const counts = new DayCounts(asked.days);
    const accounts = yield* accountsAt(asked);
    const { snapshots } = asked.services;
    let total = 0;
    const all = function* () {
      for (const accountId of accounts) yield* idsOf(snapshots, accountId);
    };
    yield* eachOf(all(), (id) => {
      total += 1;
      counts.addId(id);
    });
    return { total, byDay: counts.byDay };
  };
}

export const instanceStatuses = ofAccounts((reader, accountId) => statusIdsOf(reader, accountId, 0n));
/** Follows of accounts there by accounts here. */
export const instanceFollows = ofAccounts(followerIdsOf);
/** Follows of accounts here by accounts there. */
export const instanceFollowers = ofAccounts(followIdsOf);

export function* instanceReports(asked: Asked): Generator<undefined, Figures> {
  const { services, days } = asked;
  const hosts = new Set(yield* hostsOf(asked));
  const counts = new DayCounts(days);
  let total = 0;
  yield* eachOf(allListedReports(services.snapshots), ({ id, targetId }) => {
    const host = findProfile(services.snapshots, targetId)?.domain;
    if (host === undefined || !hosts.has(host)) return;
    total += 1;
    counts.addId(id);
  });
  return { total, byDay: counts.byDay };
}

/**
 * Copies of files that are kept here, by the day on which they were viewed last: nothing else of the media of other servers
 * takes room. Files are often at a host of their own below the domain, so that subdomains always count.
 */
export async function instanceMedia({ services, days, about }: Asked): Promise<Figures> {
  const domain = domainOf({ services, about });
  const counts = new DayCounts(days);
  let total = 0;
  for (const { host, bytes, bytesByDay } of await services.remoteMedia.usage()) {
    if (!isOf(domain, host)) continue;
    total += bytes;
    for (const [day, ofDay] of bytesByDay) counts.add(day, ofDay);
  }
  return { total, byDay: counts.byDay, unit: 'bytes' };
}
