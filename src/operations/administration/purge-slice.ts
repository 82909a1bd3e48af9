/**
 * Purges a slice of the accounts of a server. Runs on network threads; the instance actor asks for one after another. The
 * last one removes the copies of files: nobody sees a post with them any more, and what ends in between runs again.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { type PurgedSlice, type PurgeSlice, purgeServerSlice } from '../../actors/instance/servers/servers.effects.ts';
import { firstOf } from '../../actors/policy/domains.ts';
import { accountIdsOfHost } from '../../actors/search.queries.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

/** Accounts of one slice, some of which are told at a time. */
const purgedMax = 200;
const purgedAtOnce = 20;

type PurgeServices = Pick<Services, 'snapshots' | 'remoteMedia'> & {
  readonly client: Pick<Services['client'], 'call'>;
};

export function purgeServerRunner(services: PurgeServices): readonly [number, EffectRunner<unknown, unknown>] {
  const { snapshots, client } = services;
  return runnerOf(purgeServerSlice, async ({ domain, purgeId, from }: PurgeSlice): Promise<PurgedSlice> => {
    const ids: Id[] = [];
    const reader = snapshots.partitions[from.partition];
    if (reader !== undefined)
      for (const id of accountIdsOfHost(reader, domain, from.after)) {
        ids.push(id);
        if (ids.length === purgedMax) break;
      }
    for (let first = 0; first < ids.length; first += purgedAtOnce)
      await Promise.all(
        ids
          .slice(first, first + purgedAtOnce)
          .map((id) => client.call(Account.purgeKnown.to(id, { domain }), 'system')),
      );
    const purged = { domain, purgeId, accounts: ids.length };
    if (ids.length === purgedMax) return { ...purged, next: { partition: from.partition, after: ids.at(-1)! } };
    if (from.partition + 1 < snapshots.partitions.length) return { ...purged, next: { partition: from.partition + 1 } };
    await removeCopies(services, domain);
    return purged;
  });
}

/** Files are often at a host below the domain. Throws temporary Failures. */
async function removeCopies({ remoteMedia }: PurgeServices, domain: string): Promise<void> {
  const usage = await remoteMedia.usage();
  const hosts = usage.filter(({ host }) => firstOf(host, (one) => one === domain || undefined) === true);
  for (const { host } of hosts) await remoteMedia.remove({ host });
}
