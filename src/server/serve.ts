/**
 * The server, from its start to its end.
 *
 * 1. From the beginning on a request to stop is honoured: whatever has been started by then is stopped in order, with
 *    exit code 0.
 * 2. Problems are found before anything is created: the host is checked before the data folder; the ports, the origin
 *    and the number of partitions before the partitions; and all partitions before any is served.
 */
import '../gateway/http/native-settings.ts';

import { once } from 'node:events';
import { type AdminServer, serveAdmin } from '../gateway/operator/admin/server.ts';
import type { PlainServer } from '../gateway/operator/plain-server.ts';
import { loadOptions } from '../options/load.ts';
import { defaultOrigin, type Options } from '../options/table.ts';
import { adviceOnPartitions } from '../options/threads.ts';
import { clockOf, systemClock } from '../runtime/threads/clock.ts';
import type { Supervisor } from '../runtime/threads/supervisor.ts';
import { Departure } from './cluster/departure.ts';
import { keepSnapshots } from './cluster/keep-snapshots.ts';
import { joinCluster, type Member } from './cluster/member.ts';
import { prepareFolderOf } from './cluster/prepare.ts';
import { Standby } from './cluster/standby.ts';
import { sampleStandby } from './cluster/standby-metrics.ts';
import { standbyOperator } from './cluster/standby-operator.ts';
import { serveStandby } from './cluster/standby-port.ts';
import { adviceOnDescriptors, descriptorsAllowed } from './file-descriptors.ts';
import { type DataFolder, dropUnused, mailFolder, openDataFolder, removeUploads } from './folder/data-folder.ts';
import type { FolderLock } from './folder/folder-lock.ts';
import { isRunningServer, lockOrReach } from './folder/lock-or-reach.ts';
import {
  assertSameDomain,
  assertSameOrigin,
  assertSamePartitions,
  type FolderManifest,
  readManifest,
} from './folder/manifest.ts';
import { noteBlamelessEnd, recordCommits } from './folder/prepare.ts';
import { assertPortFree, findFreePort, isPortFree } from './free-port.ts';
import { chooseGarbageCollection } from './garbage-collection.ts';
import { assertListening, Listening } from './listening/listening.ts';
import type { LogOutput } from './log-output.ts';
import type { MainInput } from './main-input.ts';
import { createOperator } from './operator.ts';
import { assertMetricsPortFree, assertPortsApart, type HealthPort, openHealth, openMetrics } from './operator-ports.ts';
import { wantedThreads } from './roles.ts';
import { mayServe, type Shared } from './shared.ts';
import { createThreads, endAtOnce, endProcess, type Threads } from './start-threads.ts';
import { listenForStopRequest } from './stop-request.ts';

/** What was started and has to be stopped. */
interface Begun {
  folder?: DataFolder;
  lock?: FolderLock;
  member?: Member | undefined;
  manifest?: FolderManifest;
  supervisor?: Supervisor<Shared>;
  log?: LogOutput;
  endSpans?: Threads['endSpans'];
  admin?: AdminServer;
  metrics?: PlainServer;
  health?: HealthPort | undefined;
  listening?: Listening;
}

/** How the server is told to end. */
interface Ending {
  readonly stopRequest: AbortSignal;
  readonly departure: Departure;
}

/** Ends the process, sooner or later. */
export async function serve(input: MainInput, options: Options): Promise<void> {
  const departure = new Departure();
  const begun: Begun = {};
  const reload = () => begun.listening?.reload() ?? false;
  const stopRequest = AbortSignal.any([listenForStopRequest(reload), departure.signal]);
  let code = 0;
  try {
    const origin = await begin(input, options, begun, { stopRequest, departure });
    stopRequest.throwIfAborted();
    say(`Murmuration is ready: open ${origin} in a browser.`);
    await once(stopRequest, 'abort');
  } catch (error) {
    if (!stopRequest.aborted) {
      // The failed thread has logged the reason; the operator gets one sentence.
      process.stderr.write(`The server could not start: ${error instanceof Error ? error.message : String(error)}\n`);
      code = 1;
    }
  }
  begun.health?.stopping();
  await begun.admin?.close();
  await begun.metrics?.close();
  const clean = (await begun.supervisor?.stop()) ?? true;
  // Nothing is written any more: the next node begins while this one tidies up.
  await begun.member?.leave();
  await begun.endSpans?.();
  await begun.listening?.end();
  if (clean) await leaveFolder(begun);
  await begun.health?.close();
  await begun.log?.flush();
  endProcess(departure.code ?? code, clean);
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

/** The commits are recorded where possible: they help the next start, which does not need them. */
async function leaveFolder({ folder, manifest, lock }: Begun): Promise<void> {
  try {
    if (folder !== undefined && manifest !== undefined) await recordCommits(folder, manifest);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The last commits could not be noted in the manifest: ${reason}\n`);
  }
  await lock?.release();
  if (folder !== undefined) dropUnused(folder);
}

/**
 * Returns the origin. Rejects with an Error whose message is a sentence for the operator, or with whatever a request to
 * stop interrupted.
 */
async function begin(input: MainInput, configured: Options, begun: Begun, ending: Ending): Promise<string> {
  const { stopRequest, departure } = ending;
  const freePort = await findFreePort(configured.host);
  stopRequest.throwIfAborted();
  const folder = openDataFolder(configured.dataDirectory);
  begun.folder = folder;
  begun.lock = await takeFolder(folder, stopRequest);
  assertPortsApart(configured);
  begun.health = await openHealth(configured);
  const manifest = readManifest(folder);
  const options = await withPort(input, configured, manifest?.origin, freePort);
  await assertMetricsPortFree(options);
  assertListening(options, systemClock.now());
  assertSameOrigin(folder, manifest?.origin, options.origin);
  assertSameDomain(folder, manifest, options.domain ?? new URL(options.origin).host);
  assertSamePartitions(folder, manifest?.partitions, options.partitions);
  stopRequest.throwIfAborted();
  const threads = createThreads({ main: input, options, folder, manifest, listening: true });
  const { supervisor, partitions, log, clockShift, shared, report, endSpans } = threads;
  const advice = [
    adviceOnPartitions(wantedThreads.owner(options, input.cores), partitions),
    adviceOnDescriptors(descriptorsAllowed()),
  ];
  for (const sentence of advice) if (sentence !== undefined) say(sentence);
  begun.log = log;
  begun.endSpans = endSpans;
  const listening = new Listening({
    options,
    gateways: shared.plan.counts.gateway ?? 1,
    dataDirectory: folder.path,
    turn: shared.certificateTurn,
    now: () => systemClock.now(),
    report,
  });
  begun.listening = listening;
  await listening.begin();
  if (options.cluster !== undefined) await join({ input, options, folder, threads, begun, ending });
  const wish = { partitions, origin: options.origin, domain: options.domain };
  begun.manifest = await prepareFolderOf(folder, wish, begun.member, say, stopRequest);
  removeUploads(folder, options.mediaFolder);
  stopRequest.throwIfAborted();
  begun.supervisor = supervisor;
  stopRequest.addEventListener('abort', () => void supervisor.stop());
  await supervisor.start();
  chooseGarbageCollection();
  stopRequest.throwIfAborted();
  begun.health?.watch(supervisor, () => mayServe(shared));
  if (options.metricsPort !== 0) begun.metrics ??= await openMetrics(supervisor, options);
  const cluster = begun.member && departure.ofServing(begun.member);
  begun.admin = await serveAdmin(folder.adminSocket, createOperator(supervisor, { clockShift, cluster }));
  if (clockShift !== undefined)
    say(
      `This server does not go by the clock of the machine: it is ${new Date(clockOf(clockShift).now()).toISOString()}.`,
    );
  const sentence = adviceOnMail(options, folder);
  if (sentence !== undefined) say(sentence);
  return options.origin;
}

interface Joining {
  readonly input: MainInput;
  readonly options: Options;
  readonly folder: DataFolder;
  readonly threads: Threads;
  readonly begun: Begun;
  readonly ending: Ending;
}

/** Stands by, with loaded threads and answers about itself, until this node is the one that serves. */
async function join({ input, options, folder, threads, begun, ending }: Joining): Promise<void> {
  const { supervisor, partitions, decideEpoch } = threads;
  const { stopRequest, departure } = ending;
  const standby = new Standby(systemClock);
  begun.health?.standBy(standby);
  sampleStandby(supervisor.metrics, standby, partitions);
  // A thread that fails while this node stands by would be missing when it takes over.
  const failed = new AbortController();
  // Loading takes the cores for seconds. A node that is cut off can do nothing with them, and may share them with one that takes over.
  const reached = () => void supervisor.load().catch((error: unknown) => failed.abort(error));
  begun.supervisor = supervisor;
  if (options.metricsPort !== 0) begun.metrics = await openMetrics(supervisor, options);
  const { host, port, clusterPassesOn: passesOn } = options;
  const answering = await serveStandby({ host, port, standby, passesOn, certificate: begun.listening?.certificate });
  const admin = await serveAdmin(folder.adminSocket, standbyOperator(standby, departure));
  const { entry, programArguments, environment } = input;
  const keeping = { options, standby, entry, programArguments, environment, report: threads.report };
  const endSnapshots = options.clusterSnapshots === undefined ? undefined : keepSnapshots(keeping);
  try {
    const signal = AbortSignal.any([stopRequest, failed.signal]);
    const heldUntil = (until: number) => void threads.shared.servesUntil.fill(until);
    begun.member = await joinCluster({ options, folder, standby, signal, tell: say, reached, heldUntil });
  } finally {
    endSnapshots?.();
    await admin.close();
    await answering.close();
  }
  void begun.member?.lost.then((sentence) => {
    // Also where the disk takes nothing any more.
    try {
      if (begun.manifest !== undefined) noteBlamelessEnd(folder, begun.manifest);
    } finally {
      endAtOnce(sentence);
    }
  });
  decideEpoch(begun.member!.epoch);
}

function adviceOnMail({ smtpUrl, relay }: Options, { path }: DataFolder): string | undefined {
  // A relay has nobody to write to.
  if (smtpUrl !== undefined || relay === 'only') return undefined;
  return `No SMTP server is configured (MURMURATION_SMTP_URL): mail is written into ${mailFolder(path)}, and new e-mail addresses are not confirmed.`;
}

async function takeFolder(folder: DataFolder, stopRequest: AbortSignal): Promise<FolderLock> {
  const holder = await lockOrReach(folder, stopRequest, say);
  if (!isRunningServer(holder)) return holder;
  await holder.close();
  throw new Error(`Another server is running on the data folder ${folder.path}.`);
}

/**
 * The options with a free port. Where any port will do, a folder created on a free port gets the same one again if
 * possible, because it is part of the accounts' names.
 */
async function withPort(
  input: MainInput,
  options: Options,
  knownOrigin: string | undefined,
  freePort: number,
): Promise<Options> {
  const { host, port, socket, tlsCertificate } = options;
  if (socket !== undefined) return options;
  if (port !== 0) {
    await assertPortFree(host, port);
    return options;
  }
  const known = Number(URL.parse(knownOrigin ?? '')?.port);
  const isWanted =
    knownOrigin === defaultOrigin(known, tlsCertificate !== undefined) && (await isPortFree(host, known));
  const { environment, configurationFolder, programArguments } = input;
  return loadOptions({
    environment,
    configurationFolder,
    arguments: [...programArguments, `--port=${isWanted ? known : freePort}`],
  });
}
