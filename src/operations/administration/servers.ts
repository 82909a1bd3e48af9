/** Other servers, as far as this one knows them: what their accounts come to, their rule, how deliveries go. */
import { z } from 'zod';
import {
  allDomainAllows,
  allDomainBlocks,
  findDomainAllow,
  findDomainBlock,
} from '../../actors/instance/domains/domains.queries.ts';
import type { DomainBlock } from '../../actors/instance/domains/domains.records.ts';
import { allStoppedServers, findPurge, stopOf } from '../../actors/instance/servers/servers.queries.ts';
import type { ServerPurge, StoppedServer } from '../../actors/instance/servers/servers.records.ts';
import { failingHosts, findHostNumber, findLaneState } from '../../actors/partition/deliveries.queries.ts';
import type { LaneState } from '../../actors/partition/partition.records.ts';
import { slotOfKey } from '../../runtime/ids.ts';
import { deadFailures, type LaneReport } from '../../services/delivery-lanes.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { keptFigures } from '../measures/kept-figures.ts';
import { operation } from '../operation.ts';
import { otherDomain } from './domain-names.ts';
import { together } from './list-deliveries.ts';
import { countedServers, countServer, noFigures, type ServerFigures } from './server-figures.ts';

export const serversListedMax = 200;
/** As in Mastodon, by whose names they are asked for. */
export const serverPolicies = ['limited', 'allowed'] as const;
export const serverAvailabilities = ['failing', 'unavailable'] as const;

/** `unknown`: nothing was ever delivered to it. `unavailable`: it has failed for days. */
export const deliveryStates = ['unknown', 'working', 'failing', 'unavailable', 'stopped'] as const;

export interface ServerDelivery {
  readonly state: (typeof deliveryStates)[number];
  readonly stopped: StoppedServer | undefined;
  /** The lanes to its hosts since the start, as one; undefined where nothing was sent. */
  readonly lane: LaneReport | undefined;
  /** Milliseconds since 1970. */
  readonly failingSince: number | undefined;
  readonly lastDeliveredAt: number | undefined;
}

export interface KnownServer {
  readonly domain: string;
  readonly figures: ServerFigures;
  /** Its own, or that of a domain above it. */
  readonly rule: DomainBlock | undefined;
  readonly isAllowed: boolean;
  readonly delivery: ServerDelivery;
  readonly purge: ServerPurge | undefined;
}

export interface ServerPage {
  readonly items: readonly KnownServer[];
  readonly hasMore: boolean;
}

const domainCharactersMax = 255;

/** Those with most accounts first. Figures may be some minutes old; everything else is of now. */
export const listServers = operation({
  input: z.object({
    limit: z.int().min(1).max(serversListedMax),
    offset: z.int().min(0).default(0),
    /** A part of the name. */
    domain: z.string().trim().toLowerCase().max(domainCharactersMax).optional(),
    policy: z.enum(serverPolicies).optional(),
    availability: z.enum(serverAvailabilities).optional(),
  }),
  permission: 'manageFederation',
  audit: reads,
  /** Throws temporary Failures. */
  async run({ services }, { limit, offset, domain, policy, availability }): Promise<ServerPage> {
    const counted = await countedServers(services).get();
    const chosen = policy === undefined ? undefined : await services.slices.run(domainsOf(services, policy));
    const reached =
      availability === undefined ? undefined : await services.slices.run(domainsReached(services, availability));
    const isWanted = (host: string) =>
      (domain === undefined || host.includes(domain)) &&
      (chosen === undefined || chosen.has(host)) &&
      (reached === undefined || reached.has(host));
    const found = counted.byAccounts.filter(([host]) => isWanted(host));
    // Also those of which nobody is known.
    for (const host of [...(chosen ?? reached ?? [])].sort())
      if (!counted.byHost.has(host) && isWanted(host)) found.push([host, noFigures()]);
    const page = found.slice(offset, offset + limit);
    return { items: await viewsOf(services, page), hasMore: found.length > offset + limit };
  },
});

/** Throws Failure validation, and temporary ones. */
export const showServer = operation({
  input: z.object({ domain: z.string() }),
  permission: 'manageFederation',
  audit: reads,
  async run({ services }, { domain: typed }): Promise<KnownServer> {
    const domain = otherDomain(services, typed);
    const counted = (await countedServers(services).get()).byHost.get(domain);
    const figures = await keptFigures(services).get(`server ${domain}`, async () =>
      services.slices.run(countServer(services, domain)),
    );
    const { mediaBytes, actorHosts } = counted ?? figures;
    const [view] = await viewsOf(services, [[domain, { ...figures, mediaBytes, actorHosts }]]);
    return view!;
  },
});

function* domainsOf(
  { snapshots }: Services,
  policy: (typeof serverPolicies)[number],
): Generator<undefined, Set<string>> {
  const domains = new Set<string>();
  for (const { domain } of policy === 'limited' ? allDomainBlocks(snapshots) : allDomainAllows(snapshots)) {
    domains.add(domain);
    if (domains.size % 500 === 0) yield;
  }
  return domains;
}

function* domainsReached(
  { snapshots }: Services,
  availability: (typeof serverAvailabilities)[number],
): Generator<undefined, Set<string>> {
  const domains = new Set<string>();
  if (availability === 'unavailable') for (const { domain } of allStoppedServers(snapshots)) domains.add(domain);
  for (const partition of snapshots.partitions)
    for (const found of failingHosts(partition)) {
      if (found === undefined) yield;
      else if (isUnavailable(found.failures) === (availability === 'unavailable')) domains.add(found.host);
    }
  return domains;
}

function isUnavailable(failures: number): boolean {
  return failures >= deadFailures;
}

async function viewsOf(
  services: Services,
  servers: readonly (readonly [string, ServerFigures])[],
): Promise<KnownServer[]> {
  const hostsOf = new Map(servers.map(([domain, { actorHosts }]) => [domain, [domain, ...actorHosts]]));
  const lanes = new Map<string, LaneReport>();
  for (const lane of await services.deliveryLanes.ofHosts([...hostsOf.values()].flat())) {
    const known = lanes.get(lane.host);
    lanes.set(lane.host, known === undefined ? lane : together(known, lane));
  }
  return servers.map(([domain, figures]) => ({
    domain,
    figures,
    rule: ruleOf(services, domain),
    isAllowed: findDomainAllow(services.snapshots, domain) !== undefined,
    delivery: deliveryTo(services, domain, hostsOf.get(domain)!, lanes),
    purge: findPurge(services.snapshots, domain),
  }));
}

function ruleOf(services: Services, domain: string): DomainBlock | undefined {
  const { domain: of } = domainPolicy(services).of(domain);
  return of === undefined ? undefined : findDomainBlock(services.snapshots, of);
}

function deliveryTo(
  { snapshots }: Services,
  domain: string,
  hosts: readonly string[],
  lanes: ReadonlyMap<string, LaneReport>,
): ServerDelivery {
  const found = hosts.flatMap((host) => lanes.get(host) ?? []);
  const lane = found.length === 0 ? undefined : found.reduce(together);
  // What network threads know of is newer than what they have stored.
  const stored = hosts.flatMap((host) => (lanes.has(host) ? [] : (storedLane(snapshots, host) ?? [])));
  const failures = Math.max(lane?.failures ?? 0, ...stored.map((one) => one.failures));
  const stopped = stopOf(snapshots, domain);
  const since = [lane?.failingSince, ...stored.map((one) => one.failingSince)].filter((at) => at !== undefined);
  const delivered = [lane?.lastDeliveredAt, ...stored.map((one) => one.deliveredAt)].filter((at) => at !== undefined);
  return {
    state: stateOf(stopped, failures, lane === undefined && stored.length === 0),
    stopped,
    lane,
    failingSince: since.length === 0 ? undefined : Math.min(...since),
    lastDeliveredAt: delivered.length === 0 ? undefined : Math.max(...delivered),
  };
}

function stateOf(stopped: StoppedServer | undefined, failures: number, isUnknown: boolean): ServerDelivery['state'] {
  if (stopped !== undefined) return 'stopped';
  if (isUnknown) return 'unknown';
  if (failures === 0) return 'working';
  return isUnavailable(failures) ? 'unavailable' : 'failing';
}

function storedLane({ partitions, placement }: Services['snapshots'], host: string): LaneState | undefined {
  const partition = partitions[placement.partitionOf(slotOfKey(host))]!;
  const number = findHostNumber(partition, host);
  return number === undefined ? undefined : findLaneState(partition, number);
}
