/**
 * A node of a cluster: its data folder follows the logs until the lease is its own, and then serves.
 *
 * INVARIANT nothing of the folder is opened for serving before the lease is held, and the process ends when it is lost.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Options } from '../../options/table.ts';
import {
  type Holder,
  type Lease,
  type LeaseStore,
  LeaseUnanswered,
  type LeaseWish,
  takeLease,
} from '../../runtime/cluster/lease.ts';
import { natsAccess } from '../../runtime/cluster/nats-access.ts';
import { StreamUnanswered } from '../../runtime/cluster/stream.ts';
import type { StreamLog } from '../../runtime/cluster/stream-log.ts';
import { LogRefusal } from '../../runtime/storage/log.ts';
import { identity } from '../../runtime/storage/machine.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import {
  type FolderManifest,
  isFormer,
  isMade,
  notMigrated,
  partitionsOf,
  readManifest,
  writeManifest,
} from '../folder/manifest.ts';
import { assertWhole } from '../folder/partition-files.ts';
import { readerOf } from '../folder/verify.ts';
import { attended, reached } from './attend.ts';
import { addressOf } from './cluster-logs.ts';
import { openFollowing, sentenceOfPartition } from './prepare.ts';

export interface Joining {
  readonly options: Options;
  readonly folder: DataFolder;
  /** Waits for as long as another node serves; otherwise that is refused. */
  readonly standsBy: boolean;
  readonly signal?: AbortSignal | undefined;
  tell(sentence: string): void;
}

export interface Member {
  /** In which the logs are opened. */
  readonly epoch: number;
  /** Resolves with a sentence when this node must not serve any more. */
  readonly lost: Promise<string>;
  leave(): Promise<void>;
}

/** Undefined for a server on its own. The caller holds the folder's lock. Rejects with an Error whose message is a sentence. */
export async function joinCluster(joining: Joining): Promise<Member | undefined> {
  const { options, folder: opened } = joining;
  const address = addressOf(options);
  if (address === undefined) return undefined;
  const manifest = readManifest(opened);
  if (!isMade(manifest))
    throw new Error(
      `The data folder ${opened.path} is new. Start the server without MURMURATION_CLUSTER once, stop it, and run: murmuration cluster init`,
    );
  if (isFormer(manifest)) throw notMigrated(opened);
  const folder = partitionsOf(opened, manifest);
  for (let number = 0; number < manifest.partitions; number += 1) assertWhole(folder, number, 'upper');
  const access = natsAccess(address);
  try {
    const { register, registered } = await attended(await reached(access), options.clusterReplicas, manifest);
    const holder = { session: randomUUID(), address: options.origin };
    const logs = openFollowing(options, folder, manifest.partitions);
    let lease: Lease;
    try {
      await follow(logs, joining.signal);
      lease = await taken(joining, manifest, {
        store: register.lease,
        holder,
        follow: () => follow(logs, joining.signal),
      });
      const lost = lease.keep();
      await follow(logs, joining.signal);
      writeManifest(opened, { ...manifest, epoch: epochOf(logs), commits: [], session: holder.session });
      return memberOf(lease, lost, registered.epoch + lease.revision, () => access.close());
    } finally {
      await Promise.all(logs.map((log) => log.close()));
    }
  } catch (error) {
    await access.close();
    throw error;
  }
}

function memberOf(lease: Lease, keeping: Promise<boolean>, epoch: number, close: () => Promise<void>): Member {
  const lost = new Promise<string>((resolve) => {
    void keeping.then((isLost) => {
      if (isLost) resolve('This node lost the lease of its cluster: another one may serve.');
    });
  });
  return {
    epoch,
    lost,
    async leave() {
      try {
        await lease.giveBack();
      } catch (error) {
        // The next node waits until the lease is over.
        if (!(error instanceof LeaseUnanswered)) throw error;
      }
      await close();
    },
  };
}

interface Taking {
  readonly store: LeaseStore;
  readonly holder: Holder;
  follow(): Promise<void>;
}

/** Follows the logs until the lease is taken. */
async function taken(
  joining: Joining,
  manifest: FolderManifest,
  { store, holder, follow: followOn }: Taking,
): Promise<Lease> {
  const { standsBy, signal, tell } = joining;
  const refuse = refuseServing((address) => `Another node of the cluster serves ${address}: run the command there.`);
  let told: string | undefined;
  return await takeLease({
    ...{ store, holder, former: manifest.session, clock: systemClock },
    // A lease that is held is renewed to the end of a stop.
    pause: (milliseconds) => setTimeout(milliseconds),
    async waiting(serving, revision) {
      signal?.throwIfAborted();
      if (!standsBy) await refuse(serving, revision);
      else if (told !== serving.session) tell(`${serving.address} serves. This node stands by, and follows the logs.`);
      told = serving.session;
      await followOn();
    },
  });
}

/** For what cannot wait for another node: rejects once that node has renewed the lease. */
export function refuseServing(sentence: (address: string) => string): LeaseWish['waiting'] {
  let first: number | undefined;
  return async ({ address }, revision) => {
    first ??= revision;
    if (first !== revision) throw new Error(sentence(address));
  };
}

const silencePause = 500;

/** Brings the views up to date, however long the servers are silent. */
async function follow(logs: readonly StreamLog[], signal: AbortSignal | undefined): Promise<void> {
  for (const [partition, log] of logs.entries()) {
    for (;;) {
      try {
        await log.catchUp();
        break;
      } catch (error) {
        if (!isSilence(error)) throw sentenceOfPartition(partition, error);
      }
      await setTimeout(silencePause, undefined, { signal });
    }
  }
}

function isSilence(error: unknown): boolean {
  return error instanceof LogRefusal && error.cause instanceof StreamUnanswered;
}

/** The last start in which all partitions took part: an interrupted one may have reached some only. */
function epochOf(logs: readonly StreamLog[]): number {
  return Math.min(...logs.map((log) => readerOf(log).get(identity, [0])?.epoch ?? 0));
}
