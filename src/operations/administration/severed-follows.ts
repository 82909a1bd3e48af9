/** What a suspension of servers would end: their known accounts, and the follows between them and accounts here. */
import { followedBy, followersOf } from '../../actors/account/relationships/relationships.queries.ts';
import { firstOf } from '../../actors/policy/domains.ts';
import { accountsOfHostsFrom } from '../../actors/search.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

/** Above them the counts are lower bounds. */
export interface SeveredLimits {
  readonly accountsExaminedMax: number;
  readonly followsCountedMax: number;
  readonly followsOfOneMax: number;
}

/** Where somebody waits for the answer. */
const severedLimits: SeveredLimits = {
  accountsExaminedMax: 200_000,
  followsCountedMax: 200_000,
  followsOfOneMax: 10_000,
};
const examinedPerSlice = 200;

export interface Severed {
  accounts: number;
  /** Follows of accounts here by accounts there. */
  followers: number;
  /** Follows of accounts there by accounts here. */
  following: number;
}

/** Which of them a suspension concerns, as what: by its host, and that of its actor where that is another. */
export type ConcernedAs = (host: string, actorHost: string | undefined) => string | undefined;

/** By the domain among these. Subdomains belong to their domain, as with a rule. */
export function amongDomains(domains: ReadonlySet<string>): ConcernedAs {
  const find = (domain: string) => (domains.has(domain) ? domain : undefined);
  return (host, actorHost) => firstOf(host, find) ?? (actorHost === undefined ? undefined : firstOf(actorHost, find));
}

export interface SeveredFollows {
  /** By what they are concerned as; those of which nobody is known are absent. */
  readonly byDomain: ReadonlyMap<string, Severed>;
  /** By the account here. */
  readonly byAccount: ReadonlyMap<Id, Omit<Severed, 'accounts'>>;
  readonly isWhole: boolean;
}

/** In slices (see TimeSlices). */
export function* severedFollows(
  { snapshots }: Pick<Services, 'snapshots'>,
  concernedAs: ConcernedAs,
  limits = severedLimits,
): Generator<undefined, SeveredFollows> {
  const byDomain = new Map<string, Severed>();
  const byAccount = new Map<Id, Omit<Severed, 'accounts'>>();
  const { accountsExaminedMax, followsCountedMax, followsOfOneMax: limit } = limits;
  let [examined, counted] = [0, 0];
  let isWhole = true;
  const ownOf = (id: Id) => {
    const own = byAccount.get(id) ?? { followers: 0, following: 0 };
    byAccount.set(id, own);
    return own;
  };
  for (const partition of snapshots.partitions)
    for (const { id, host, actorHost } of accountsOfHostsFrom(partition, undefined)) {
      examined += 1;
      if (examined % examinedPerSlice === 0) yield;
      if (examined > accountsExaminedMax || counted > followsCountedMax) return { byDomain, byAccount, isWhole: false };
      const domain = concernedAs(host, actorHost);
      if (domain === undefined) continue;
      const followed = followersOf(snapshots, id, (by) => by, { limit }).items;
      const follows = followedBy(snapshots, id, (target) => target, { limit }).items;
      if (followed.length === limit || follows.length === limit) isWhole = false;
      counted += followed.length + follows.length;
      const severed = byDomain.get(domain) ?? { accounts: 0, followers: 0, following: 0 };
      byDomain.set(domain, severed);
      severed.accounts += 1;
      severed.following += followed.length;
      severed.followers += follows.length;
      for (const by of followed) ownOf(by).following += 1;
      for (const target of follows) ownOf(target).followers += 1;
    }
  return { byDomain, byAccount, isWhole };
}
