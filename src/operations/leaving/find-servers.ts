/**
 * Finds servers that may know an account that is removed. Nobody counts who has fetched a profile, or got it through somebody
 * else, so these are all that are known here: one inbox of each. Runs on network threads; the account asks for one slice
 * after another (actors/account/moderation/remove-data.ts).
 */
import { type FoundServers, findServers } from '../../actors/account/moderation/moderation.effects.ts';
import type { ServerPosition } from '../../actors/account/moderation/moderation.records.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { knownHostsPage } from '../../actors/directory/directory.queries.ts';
import type { Destination } from '../../actors/intents.ts';
import { accountOfHost } from '../../actors/search.queries.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Services } from '../../services/services.ts';

const hostsPerSlice = 200;

export function serversRunner({
  snapshots,
}: Pick<Services, 'snapshots'>): readonly [number, EffectRunner<unknown, unknown>] {
  return runnerOf(findServers, async ({ activityId, from }): Promise<FoundServers> => {
    const { hosts, next } = hostsFrom(snapshots, from);
    const destinations = hosts.flatMap((host) => destinationAt(snapshots, host) ?? []);
    return { activityId, destinations, ...(next !== undefined && { next }) };
  });
}

function hostsFrom(
  { partitions }: Snapshots,
  { partition, from }: ServerPosition,
): { readonly hosts: readonly string[]; readonly next: ServerPosition | undefined } {
  const reader = partitions[partition];
  if (reader === undefined) return { hosts: [], next: undefined };
  const { hosts, next } = knownHostsPage(reader, from, hostsPerSlice);
  if (next !== undefined) return { hosts, next: { partition, from: next } };
  return { hosts, next: partition + 1 < partitions.length ? { partition: partition + 1 } : undefined };
}

/**
 * Also where followers are told already: whose inboxes those are is found when it is sent, and a server that cannot be reached
 * until they are removed would never hear of it.
 */
function destinationAt(snapshots: Snapshots, host: string): Destination | undefined {
  for (const partition of snapshots.partitions) {
    const knownId = accountOfHost(partition, host);
    const profile = knownId === undefined ? undefined : findProfile(snapshots, knownId);
    if (profile !== undefined) return destinationOf(profile);
  }
  return undefined;
}
