/**
 * Purges a slice of the accounts of a server, with the copies of what they show from hosts of another name. Runs on network
 * threads; the instance actor asks for one after another. The last one removes the copies of files at the server itself: nobody
 * sees a post with them any more, and what ends in between runs again.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { statusIdsOf } from '../../actors/account/everything.queries.ts';
import { type PurgedSlice, type PurgeSlice, purgeServerSlice } from '../../actors/instance/servers/servers.effects.ts';
import { firstOf } from '../../actors/policy/domains.ts';
import { accountIdsOfHost } from '../../actors/search.queries.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import type { Id } from '../../runtime/ids.ts';
import { filesShownBy } from '../../services/media/files-shown-by.ts';
import { hostOfFile } from '../../services/media/remote-media.ts';
import type { Services } from '../../services/services.ts';

/** Accounts of one slice, some of which are told at a time. */
const purgedMax = 200;
const purgedAtOnce = 20;

type PurgeServices = Pick<Services, 'snapshots' | 'remoteMedia' | 'slices'> & {
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
    // Before: what is purged is not found again.
    await removeCopiesBeside(services, domain, ids);
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

/** Addresses that are removed at once: the copies of a thread are looked through for all of them together. */
const addressesMax = 5_000;
const statusesPerSlice = 100;

interface FilesBeside {
  readonly addresses: readonly string[];
  /** Where the next ones begin; undefined after the last one. */
  readonly next: { readonly index: number; readonly after: Id } | undefined;
}

/** Throws temporary Failures. */
async function removeCopiesBeside(services: PurgeServices, domain: string, ids: readonly Id[]): Promise<void> {
  for (let from: FilesBeside['next'] = { index: 0, after: 0n }; from !== undefined; ) {
    const found: FilesBeside = await services.slices.run(filesBeside(services, domain, ids, from));
    if (found.addresses.length > 0) await services.remoteMedia.remove({ addresses: found.addresses });
    from = found.next;
  }
}

/** What the accounts show from hosts that are not below the domain. In slices (see TimeSlices). */
function* filesBeside(
  { snapshots }: PurgeServices,
  domain: string,
  ids: readonly Id[],
  from: NonNullable<FilesBeside['next']>,
): Generator<undefined, FilesBeside> {
  const addresses: string[] = [];
  const add = (shown: Parameters<typeof filesShownBy>[1]) => {
    for (const address of filesShownBy(snapshots, shown) ?? [])
      if (!isBelow(hostOfFile(address), domain)) addresses.push(address);
  };
  let read = 0;
  for (const [index, accountId] of ids.entries()) {
    if (index < from.index) continue;
    const after = index === from.index ? from.after : 0n;
    if (after === 0n) add({ accountId });
    for (const statusId of statusIdsOf(snapshots, accountId, after)) {
      add({ statusId });
      read += 1;
      if (read % statusesPerSlice === 0) yield;
      if (addresses.length >= addressesMax) return { addresses, next: { index, after: statusId } };
    }
  }
  return { addresses, next: undefined };
}

function isBelow(host: string | undefined, domain: string): boolean {
  return host !== undefined && firstOf(host, (one) => one === domain || undefined) === true;
}

/** Files are often at a host below the domain. Throws temporary Failures. */
async function removeCopies({ remoteMedia }: PurgeServices, domain: string): Promise<void> {
  const usage = await remoteMedia.usage();
  const hosts = usage.filter(({ host }) => isBelow(host, domain));
  for (const { host } of hosts) await remoteMedia.remove({ host });
}
