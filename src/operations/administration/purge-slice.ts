/** Purges a slice of the accounts of a server. Runs on network threads; the instance actor asks for one after another. */
import { Account } from '../../actors/account/account.messages.ts';
import { type PurgedSlice, type PurgeSlice, purgeServerSlice } from '../../actors/instance/servers/servers.effects.ts';
import { accountIdsOfHost } from '../../actors/search.queries.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

/** Accounts of one slice, some of which are told at a time. */
const purgedMax = 200;
const purgedAtOnce = 20;

type PurgeServices = Pick<Services, 'snapshots'> & { readonly client: Pick<Services['client'], 'call'> };

export function purgeServerRunner({
  snapshots,
  client,
}: PurgeServices): readonly [number, EffectRunner<unknown, unknown>] {
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
    return from.partition + 1 < snapshots.partitions.length
      ? { ...purged, next: { partition: from.partition + 1 } }
      : purged;
  });
}
