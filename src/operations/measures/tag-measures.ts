/** How a hashtag is used: statuses in its timeline, without those of silenced accounts, as in its history. */

import { SilencedAccounts } from '../../actors/account/profile/silenced.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import { tagsWithIds } from '../../actors/tags.queries.ts';
import { type ListedStatus, tagEntries } from '../../actors/timelines.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { firstIdAt, type Id, timeOfId } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { type Asked, beginningOf, DayCounts, eachOf, type Figures } from './measure.ts';

/** Throws Failure notFound. In slices (see TimeSlices). */
export function* tagUses({ services, days, about }: Asked): Generator<undefined, ListedStatus[]> {
  const { snapshots } = services;
  const wanted = about.tagId;
  const [found] = wanted === undefined ? [] : yield* tagsWithIds(snapshots, (id) => id === wanted);
  if (found === undefined) throw new Failure('notFound');
  const silenced = new SilencedAccounts(snapshots);
  const bounds = {
    maxId: firstIdAt(beginningOf(days.last + 1)),
    sinceId: firstIdAt(beginningOf(days.first)) - 1n,
    limit: Number.MAX_SAFE_INTEGER,
  };
  const uses: ListedStatus[] = [];
  yield* eachOf(tagEntries(snapshots, [found[1]], bounds), (listed) => {
    if (!silenced.has(listed.entry.accountId)) uses.push(listed);
  });
  return uses;
}

/** The server of an account, as other servers name it. */
export class ServersOfAccounts {
  private readonly services: Services;
  private readonly known = new Map<Id, string>();

  constructor(services: Services) {
    this.services = services;
  }

  of(accountId: Id): string {
    const { snapshots, addresses } = this.services;
    const host = this.known.get(accountId) ?? findProfile(snapshots, accountId)?.domain ?? addresses.domain;
    this.known.set(accountId, host);
    return host;
  }
}

export function* tagUsed(asked: Asked): Generator<undefined, Figures> {
  const counts = new DayCounts(asked.days);
  const uses = yield* tagUses(asked);
  for (const { id } of uses) counts.addId(id);
  return { total: uses.length, byDay: counts.byDay };
}

export function* tagAccounts(asked: Asked): Generator<undefined, Figures> {
  return distinctByDay(asked, yield* tagUses(asked), ({ entry }) => entry.accountId);
}

export function* tagServers(asked: Asked): Generator<undefined, Figures> {
  const servers = new ServersOfAccounts(asked.services);
  return distinctByDay(asked, yield* tagUses(asked), ({ entry }) => servers.of(entry.accountId));
}

function distinctByDay({ days }: Asked, uses: readonly ListedStatus[], nameOf: (use: ListedStatus) => Id | string) {
  const counts = new DayCounts(days);
  const inAll = new Set<Id | string>();
  let today = { day: Number.NaN, names: new Set<Id | string>() };
  for (const use of uses) {
    const [day, name] = [dayOf(timeOfId(use.id)), nameOf(use)];
    inAll.add(name);
    // They come in the order of their ids: a day is behind when another one begins.
    if (day !== today.day) today = { day, names: new Set() };
    if (today.names.has(name)) continue;
    today.names.add(name);
    counts.add(day);
  }
  return { total: inAll.size, byDay: counts.byDay };
}
