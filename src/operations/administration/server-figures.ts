/** What the accounts of other servers come to here, server by server: counted when staff ask, and kept for a while. */
import { findCounters } from '../../actors/account/profile/profiles.queries.ts';
import { firstOf } from '../../actors/policy/domains.ts';
import { accountIdsOfHost, accountsOfHostsFrom } from '../../actors/search.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { KeptResult } from '../../services/kept-result.ts';
import type { HostUsage } from '../../services/media/remote-media.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';

export interface ServerFigures {
  accounts: number;
  /** Follows of accounts here by accounts there. */
  followers: number;
  /** Follows of accounts there by accounts here. */
  following: number;
  statuses: number;
  /** Copies of its files that are kept here. */
  mediaBytes: number;
  /** The hosts of the actors of its accounts, where those are others. */
  readonly actorHosts: Set<string>;
}

export interface CountedServers {
  /** Those with most accounts first. */
  readonly byAccounts: readonly (readonly [host: string, figures: ServerFigures])[];
  readonly byHost: ReadonlyMap<string, ServerFigures>;
}

const accountsPerSlice = 200;
/** Of more only the accounts of those that were met first are counted. */
const serversMax = 50_000;
const actorHostsMax = 10;

export function noFigures(): ServerFigures {
  return { accounts: 0, followers: 0, following: 0, statuses: 0, mediaBytes: 0, actorHosts: new Set() };
}

function count(figures: ServerFigures, partition: Reader, id: Id): void {
  const { followers, following, statuses } = findCounters(partition, id);
  figures.accounts += 1;
  figures.statuses += statuses;
  // Whoever follows an account there is here, and whom it follows.
  figures.following += followers;
  figures.followers += following;
}

/** In slices (see TimeSlices). */
function* countAll({ snapshots }: Pick<Services, 'snapshots'>): Generator<undefined, Map<string, ServerFigures>> {
  const byHost = new Map<string, ServerFigures>();
  let examined = 0;
  for (const partition of snapshots.partitions)
    for (const { id, host, actorHost, isPurged } of accountsOfHostsFrom(partition, undefined)) {
      examined += 1;
      if (examined % accountsPerSlice === 0) yield;
      if (isPurged === true) continue;
      const figures = byHost.get(host) ?? noFigures();
      if (figures.accounts === 0 && byHost.size >= serversMax) continue;
      byHost.set(host, figures);
      count(figures, partition, id);
      if (actorHost !== undefined && figures.actorHosts.size < actorHostsMax) figures.actorHosts.add(actorHost);
    }
  return byHost;
}

/** Files are often at a host below the domain. */
function countMedia(byHost: ReadonlyMap<string, ServerFigures>, usage: readonly HostUsage[]): void {
  for (const { host, bytes } of usage) {
    const figures = firstOf(host, (one) => byHost.get(one));
    if (figures !== undefined) figures.mediaBytes += bytes;
  }
}

/** A hundredth of the time of a thread, while staff look; at most ten minutes old. */
const shareOfTime = 0.01;
const keptMillisecondsMax = 10 * 60_000;
/** Whoever asks waits for newer figures where the last ones took no longer. */
const awaitedMilliseconds = 500;

class Servers {
  private readonly kept: KeptResult<CountedServers>;
  private last: CountedServers | undefined;
  private took = 0;

  constructor(services: Services) {
    const compute = async (): Promise<CountedServers> => {
      const [byHost, usage] = await Promise.all([
        services.slices.run(countAll(services)),
        services.remoteMedia.usage(),
      ]);
      countMedia(byHost, usage);
      const byAccounts = [...byHost].sort(([one, of], [other, ofOther]) => {
        return ofOther.accounts - of.accounts || (one < other ? -1 : 1);
      });
      this.last = { byAccounts, byHost };
      return this.last;
    };
    this.kept = new KeptResult(services, compute, (_counted, took) => {
      this.took = took;
      return Math.min(took / shareOfTime, keptMillisecondsMax);
    });
  }

  /** Throws temporary Failures. */
  get(): Promise<CountedServers> {
    const newest = this.kept.get();
    if (this.last === undefined || this.took <= awaitedMilliseconds) return newest;
    const { last } = this;
    // What fails in the background is tried again by whoever asks next.
    return Promise.race([newest, Promise.resolve(last)]).catch(() => last);
  }
}

export const countedServers = member((services: Services) => new Servers(services));

/** Of one server, as it is now. In slices (see TimeSlices). */
export function* countServer(
  { snapshots }: Pick<Services, 'snapshots'>,
  host: string,
): Generator<undefined, ServerFigures> {
  const figures = noFigures();
  for (const partition of snapshots.partitions)
    for (const id of accountIdsOfHost(partition, host)) {
      count(figures, partition, id);
      if (figures.accounts % accountsPerSlice === 0) yield;
    }
  return figures;
}
