/**
 * A node of a cluster: its data folder follows the logs until the lease is its own, and then serves.
 *
 * INVARIANT nothing of the folder is opened for serving before the lease is held, and the process ends when it is lost.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setImmediate, setTimeout } from 'node:timers/promises';
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
import type { StreamLog } from '../../runtime/cluster/stream-log.ts';
import { identity } from '../../runtime/storage/machine.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import { software } from '../../services/software.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import {
  type FolderManifest,
  isEveryPageRead,
  isFormer,
  isMade,
  notMigrated,
  partitionsOf,
  readManifest,
  writeManifest,
} from '../folder/manifest.ts';
import { assertWhole } from '../folder/partition-files.ts';
import { everyPage } from '../folder/prepare.ts';
import { newerFormatOf, readerOf } from '../folder/verify.ts';
import { answered, assertAttended, attended, foundRegister, reached } from './attend.ts';
import { addressOf } from './cluster-logs.ts';
import { type Following, type FollowingOn, follow, followOn } from './follow.ts';
import { type ClusterNode, Nodes } from './nodes.ts';
import { type FollowedLogs, openFollowing } from './prepare.ts';
import { tellProgress } from './progress.ts';
import { assertMediaShared, assertSameMedia } from './shared-media.ts';
import type { Standby } from './standby.ts';

export interface Joining {
  readonly options: Options;
  readonly folder: DataFolder;
  /** Waits for as long as another node serves, and tells this one how it stands; without it that is refused. */
  readonly standby?: Standby;
  readonly signal?: AbortSignal | undefined;
  tell(sentence: string): void;
  /** The NATS servers answer: from now on this node may be asked to serve. */
  reached?(): void;
  /** Until when it may serve, by the monotonic clock, unless the lease is renewed. */
  heldUntil?(until: number): void;
}

export interface Member extends FollowedLogs {
  /** Resolves with a sentence when this node must not serve any more. */
  readonly lost: Promise<string>;
  /** The name of a node that could take over now; undefined where there is none. */
  successor(): Promise<string | undefined>;
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
  assertMediaShared(options);
  const folder = partitionsOf(opened, manifest);
  await assertAllWhole(folder, manifest, joining);
  const access = natsAccess(address);
  const unlessStopped = stoppable(joining.signal);
  try {
    const client = await unlessStopped(reached(access));
    joining.reached?.();
    const { register } = await unlessStopped(answered(() => attended(client, options.clusterReplicas, manifest)));
    await unlessStopped(answered(() => assertSameMedia(register, options)));
    const nodes = await unlessStopped(answered(() => Nodes.open(client, options.clusterReplicas)));
    const holder = { session: randomUUID(), address: options.origin, node: options.clusterNode };
    const { standby } = joining;
    const announcing = standby && nodes.announce(holder.session, () => described(options, standby));
    const logs = openFollowing(client, folder, manifest.partitions);
    let areHanded = false;
    const end = async () => {
      await Promise.all(areHanded ? [] : logs.map((log) => log.close()));
      await announcing?.leave();
      await access.close();
    };
    standby?.follows(logs);
    const following: Following = {
      caughtUp(partition) {
        const newer = newerFormatOf(logs[partition]!);
        if (newer !== undefined) throw new Error(`It ${newer}`);
        standby?.caughtUp(partition);
      },
      pause: pauseOf(joining),
    };
    const followed = () => unlessStopped(follow(logs, following));
    try {
      const told = tellProgress(logs, joining.tell);
      await followed().finally(told);
      const lease = await taken(joining, manifest, {
        ...{ store: register.lease, holder },
        follow: () => followOn(logs, following),
      });
      const lost = lease.keep();
      const { epoch } = await orGivenBack(lease, async () => {
        // A repair may have begun, or ended, while this node waited. The servers themselves were asked before.
        const { registered } = await answered(() => foundRegister(client));
        assertAttended(registered, manifest);
        await followed();
        return registered;
      });
      writeManifest(opened, { ...manifest, epoch: epochOf(logs), commits: [], session: holder.session });
      standby?.end();
      void announcing?.tell();
      return {
        epoch: epoch + lease.revision,
        handLogs() {
          areHanded = true;
          return logs;
        },
        lost: sentenceOfLoss(lost),
        successor: async () => (await answered(() => nodes.list())).find(couldTakeOver)?.name,
        async leave() {
          const isLeft = await inTime(async () => {
            await givenBack(lease);
            await end();
          });
          if (!isLeft) joining.tell(notGivenBack);
        },
      };
    } catch (error) {
      await inTime(end);
      throw error;
    }
  } catch (error) {
    await inTime(() => access.close());
    throw error;
  }
}

/** A stop waits no longer for servers that do not answer. */
const endMilliseconds = 4_000;
const notGivenBack =
  'The NATS servers did not answer in time: the lease was not given back, and another node takes over once it is over.';

/** Whether it came to its end; otherwise it is left as it is, and ends with the process. */
async function inTime(work: () => Promise<void>): Promise<boolean> {
  const late = new AbortController();
  const isLate = setTimeout(endMilliseconds, false, { signal: late.signal }).catch(() => false);
  const isEnded = await Promise.race([work().then(() => true), isLate]);
  late.abort();
  return isEnded;
}

type UnlessStopped = <Value>(work: Promise<Value>) => Promise<Value>;

/** Waits for work unless a stop is asked for, which leaves it as it is. */
function stoppable(signal: AbortSignal | undefined): UnlessStopped {
  if (signal === undefined) return (work) => work;
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  // It may come while nothing is waited for.
  stopped.catch(() => undefined);
  return async (work) => {
    signal.throwIfAborted();
    return await Promise.race([work, stopped]);
  };
}

/** Also where every page is to be read, which takes long: not while nobody serves. */
async function assertAllWhole(folder: DataFolder, manifest: FolderManifest, { tell, signal }: Joining): Promise<void> {
  const pages = isEveryPageRead(manifest) ? 'every' : 'upper';
  if (pages === 'every') tell(everyPage);
  for (let number = 0; number < manifest.partitions; number += 1) {
    // A request to stop comes through the event loop.
    await setImmediate();
    signal?.throwIfAborted();
    assertWhole(folder, number, pages);
  }
}

function described({ clusterNode }: Options, standby: Standby): Omit<ClusterNode, 'session'> {
  const name = clusterNode ?? hostname();
  return { name, serves: standby.isServing, version: software.version, ...standby.worst, sequences: standby.sequences };
}

const successorRecordsMax = 1_000;
const successorSecondsMax = 2;

function couldTakeOver({ serves, records, seconds }: ClusterNode): boolean {
  return !serves && records <= successorRecordsMax && seconds <= successorSecondsMax;
}

async function sentenceOfLoss(keeping: Promise<boolean>): Promise<string> {
  if (await keeping) return 'This node lost the lease of its cluster: another one may serve.';
  // Given back: nothing was lost.
  return await new Promise(() => undefined);
}

/** Nothing was served yet: the next node need not wait. */
async function orGivenBack<Result>(lease: Lease, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await givenBack(lease);
    throw error;
  }
}

async function givenBack(lease: Lease): Promise<void> {
  try {
    await lease.giveBack();
  } catch (error) {
    // The next node waits until the lease is over.
    if (!(error instanceof LeaseUnanswered)) throw error;
  }
}

interface Taking {
  readonly store: LeaseStore;
  readonly holder: Holder;
  follow(): FollowingOn;
}

/** Follows the logs until the lease is taken. */
async function taken(
  joining: Joining,
  manifest: FolderManifest,
  { store, holder, follow: begin }: Taking,
): Promise<Lease> {
  const { standby, signal, tell } = joining;
  const followed = standby && begin();
  const refuse = refuseServing((address) => `Another node of the cluster serves ${address}: run the command there.`);
  let told: string | undefined;
  return await takeLease({
    ...{ store, holder, former: manifest.session, clock: systemClock },
    ...(joining.heldUntil && { heldUntil: joining.heldUntil }),
    // A lease that is held is renewed to the end of a stop.
    pause: (milliseconds) => setTimeout(milliseconds),
    goOn() {
      signal?.throwIfAborted();
      followed?.assertGoesOn();
    },
    async waiting(serving, revision) {
      standby?.sees(serving);
      if (standby === undefined) await refuse(serving, revision);
      else if (serving !== undefined && told !== serving.session) tell(`${standby.sentence} It follows the logs.`);
      told = serving?.session;
    },
  }).finally(() => followed?.end());
}

/** For what cannot wait for another node: rejects once that node has renewed the lease. */
export function refuseServing(sentence: (address: string) => string): LeaseWish['waiting'] {
  let first: number | undefined;
  return async (serving, revision) => {
    first ??= revision;
    if (serving !== undefined && first !== revision) throw new Error(sentence(serving.address));
  };
}

function pauseOf({ signal }: Joining): (milliseconds: number) => Promise<void> {
  return (milliseconds) => setTimeout(milliseconds, undefined, { signal });
}

/** The last start in which all partitions took part: an interrupted one may have reached some only. */
function epochOf(logs: readonly StreamLog[]): number {
  return Math.min(...logs.map((log) => readerOf(log).get(identity, [0])?.epoch ?? 0));
}
