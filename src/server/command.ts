/** Runs one command of the operator: in the server that holds the data folder, or with actors started for it alone. */
import { statfsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { ClusterInitInput, ClusterRepairInput } from '../gateway/operator/admin/requests.ts';
import { runCommand } from '../gateway/operator/cli/main.ts';
import type { Options } from '../options/table.ts';
import { evenPlacement } from '../runtime/placement.ts';
import { countUndelivered } from '../runtime/storage/check-server.ts';
import { joinCluster, type Member } from './cluster/member.ts';
import { prepareFolderOf } from './cluster/prepare.ts';
import { checkFolder, type FolderCheck } from './folder/check-folder.ts';
import { type DataFolder, dropUnused, findDataFolder, openDataFolder } from './folder/data-folder.ts';
import type { FolderLock } from './folder/folder-lock.ts';
import { isOfReadOnlyFolder, isRunningServer, lockOrReach } from './folder/lock-or-reach.ts';
import {
  assertSamePartitions,
  type FolderManifest,
  type FormerFolderManifest,
  isMade,
  readManifest,
} from './folder/manifest.ts';
import { prepareFolder, recordCommits } from './folder/prepare.ts';
import { repartitionFolder } from './folder/repartition.ts';
import { assertMade } from './folder/verify.ts';
import { giveWay } from './low-priority.ts';
import type { MainInput } from './main-input.ts';
import { createOperator } from './operator.ts';
import { openPartitions } from './partitions.ts';
import { createThreads, endAtOnce } from './start-threads.ts';
import { listenForStopRequest } from './stop-request.ts';

/** Returns the exit code. `outputClosed` is aborted when nobody reads what the command prints. */
export function runOperatorCommand(input: MainInput, options: Options, outputClosed: AbortSignal): Promise<number> {
  return runCommand(input.programArguments, {
    openAdmin: (mayCreate) => openAdmin(input, options, mayCreate),
    interruption: () => AbortSignal.any([listenForStopRequest(), outputClosed]),
    own: {
      backup: async (given, told) => {
        const { runBackup } = await import('./backup/commands.ts');
        giveWay();
        return { ok: true, lines: await runBackup(given, { ...told, options }) };
      },
      restore: async (given, told) => {
        const { runRestore } = await import('./backup/commands.ts');
        return { ok: true, lines: await runRestore(given, { ...told, options }) };
      },
      storage: async (given, told) => {
        const { runStorage } = await import('./storage/commands.ts');
        giveWay();
        return { ok: true, lines: await runStorage(given, { ...told, options }) };
      },
      compact: async (_given, { show }) => {
        const { compactFolder } = await import('./folder/compact.ts');
        const { compactedLines } = await import('./storage/commands.ts');
        const work = (folder: DataFolder) =>
          compactFolder(alone(options, folder), {
            hasBucket: hasBucket(options),
            freeBytes: () => freeBytesAt(folder.path),
            show,
          });
        return { ok: true, lines: compactedLines(await withStoppedFolder(options, work)) };
      },
      doctor: async (given, { signal }) => {
        const { examine } = await import('./doctor/doctor.ts');
        return await examine(input, options, given, signal);
      },
      'cluster init': async (given, { show, signal }) => {
        const { initCluster } = await import('./cluster/init.ts');
        const { replace } = ClusterInitInput.parse(given);
        const work = (folder: DataFolder) => initCluster(folder, { options, replace, show, signal });
        return { ok: true, lines: await withStoppedFolder(options, work) };
      },
      'cluster repair': async (given, { show, signal }) => {
        const { repairCluster } = await import('./cluster/repair.ts');
        const { copies, forget } = ClusterRepairInput.parse(given);
        if (forget !== undefined) {
          const { forgetCopy } = await import('./cluster/forget-copy.ts');
          return { ok: true, lines: await forgetCopy(options, forget) };
        }
        const work = (folder: DataFolder) => repairCluster(folder, { options, copies, show, signal });
        return { ok: true, lines: await withStoppedFolder(options, work) };
      },
      'cluster snapshot': async (_given, told) => {
        giveWay();
        const { makeSnapshot } = await import('./cluster/snapshot.ts');
        return { ok: true, lines: await makeSnapshot({ ...told, options }) };
      },
      'cluster join': async (_given, told) => {
        const { joinFromSnapshot } = await import('./cluster/snapshot.ts');
        return { ok: true, lines: await joinFromSnapshot({ ...told, options }) };
      },
      'cluster status': async (_given, { signal }) => {
        const { clusterStatus } = await import('./cluster/status.ts');
        return { ok: true, lines: await clusterStatus(options, signal) };
      },
    },
    check: () => checkStopped(options),
    repartition: (partitions) =>
      withStoppedFolder(options, (folder) =>
        repartitionFolder(alone(options, folder), partitions, {
          hasBucket: hasBucket(options),
          freeBytes: () => freeBytesAt(folder.path),
          deliverMessages: () => deliverMessages(input, options, folder),
        }),
      ),
  });
}

/** Beside the answer of a command, which scripts read. */
function complain(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** A backup on a file system that cannot be written is read in place: no server can run on it. */
async function checkStopped(options: Options): Promise<FolderCheck> {
  try {
    return await withStoppedFolder(options, (folder) => checkFolder(folder, { hasBucket: hasBucket(options) }));
  } catch (error) {
    if (!isOfReadOnlyFolder(error)) throw error;
    return await checkFolder(findDataFolder(options.dataDirectory), {
      isReadOnly: true,
      hasBucket: hasBucket(options),
    });
  }
}

/** Or another place outside of the data folder. */
function hasBucket({ mediaS3Endpoint, mediaS3PreviousEndpoint, mediaFolder }: Options): boolean {
  return [mediaS3Endpoint, mediaS3PreviousEndpoint, mediaFolder].some((place) => place !== undefined);
}

/** For commands that need a stopped server. */
async function withStoppedFolder<Result>(
  { dataDirectory }: Options,
  work: (folder: DataFolder) => Promise<Result>,
): Promise<Result> {
  const folder = findDataFolder(dataDirectory);
  const holder = await lockOrReach(folder, undefined, complain);
  if (isRunningServer(holder)) {
    await holder.close();
    throw new Error(`A server is running on the data folder ${folder.path}: stop it first.`);
  }
  try {
    return await work(folder);
  } finally {
    await holder.release();
  }
}

/** A folder whose partitions are views of logs is not changed behind the back of these. */
function alone({ cluster }: Options, folder: DataFolder): DataFolder {
  if (cluster === undefined) return folder;
  throw new Error(
    'The logs of this server are in a cluster. Do this without MURMURATION_CLUSTER; then murmuration cluster init --replace makes the logs anew.',
  );
}

function freeBytesAt(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

const pauseMilliseconds = 50;
const deliveryMilliseconds = 60_000;

/** Runs the actors until no message waits, or until a deadline. */
async function deliverMessages(main: MainInput, configured: Options, folder: DataFolder): Promise<void> {
  const manifest = readManifest(folder)!;
  const options = { ...configured, origin: manifest.origin ?? configured.origin, domain: manifest.domain };
  const { supervisor, partitions, log } = createThreads({ main, options, folder, manifest, listening: false });
  const prepared = await prepareFolder(folder, { partitions, origin: undefined }, complain);
  await supervisor.start();
  const place = { dataDirectory: folder.path, generation: manifest.generation ?? 0 };
  const { snapshots, close } = openPartitions(place, evenPlacement(partitions));
  const deadline = performance.now() + deliveryMilliseconds;
  while (countUndelivered(snapshots.beginReads().partitions) > 0 && performance.now() < deadline)
    await setTimeout(pauseMilliseconds);
  await close();
  if (await supervisor.stop()) await recordCommits(folder, prepared);
  await log.flush();
}

/** `mayCreate`: the data folder may be new. */
async function openAdmin(input: MainInput, configured: Options, mayCreate: boolean) {
  const { dataDirectory } = configured;
  const folder = mayCreate ? openDataFolder(dataDirectory) : findDataFolder(dataDirectory);
  const holder = await lockOrReach(folder, undefined, complain);
  if (isRunningServer(holder)) return holder;
  let member: Member | undefined;
  try {
    member = await joinCluster({ options: configured, folder, tell: complain });
    void member?.lost.then(endAtOnce);
    const manifest = readManifest(folder);
    if (!mayCreate) assertMade(folder, manifest);
    return await startFor({ input, configured, folder, lock: holder, manifest, member });
  } catch (error) {
    await member?.leave();
    await holder.release();
    dropUnused(folder);
    throw error;
  }
}

interface Stopped {
  readonly input: MainInput;
  readonly configured: Options;
  readonly folder: DataFolder;
  readonly lock: FolderLock;
  readonly manifest: FolderManifest | FormerFolderManifest | undefined;
  readonly member: Member | undefined;
}

/** Starts the actors of a stopped server for one command. */
async function startFor({ input, configured, folder, lock, manifest, member }: Stopped) {
  const names = manifest?.origin === undefined ? configured : manifest;
  const options = { ...configured, origin: names.origin ?? configured.origin, domain: names.domain };
  assertSamePartitions(folder, manifest?.partitions, options.partitions);
  const threads = createThreads({ main: input, options, folder, manifest, listening: false });
  if (member !== undefined) threads.decideEpoch(member.epoch);
  const { supervisor, partitions, log } = threads;
  // The first server to listen decides the origin of the accounts.
  const prepared = await prepareFolderOf(folder, { partitions, origin: undefined }, member, complain);
  // The operator may be in the wrong directory.
  if (!isMade(manifest)) complain(`There was no data folder ${folder.path}: it is new.`);
  await supervisor.start();
  return {
    request: createOperator(supervisor, { serving: false }),
    close: async () => {
      if (await supervisor.stop()) await recordCommits(folder, prepared);
      await member?.leave();
      await lock.release();
      await log.flush();
    },
  };
}
