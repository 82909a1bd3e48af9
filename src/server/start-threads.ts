/** Starts the threads over a data folder that this process has locked. */
import { writeSync } from 'node:fs';
import { allocateRings, ringCache, ringsWithin } from '../actors/partition/feed-rings.queries.ts';
import { createRateLimitMemory } from '../gateway/http/rate-limits.ts';
import { planMemory } from '../options/memory.ts';
import type { Options } from '../options/table.ts';
import { planThreads } from '../options/threads.ts';
import type { SpanExport } from '../outbound/traces/span-export.ts';
import { measureCache } from '../runtime/metrics/caches.ts';
import { type ClockShift, systemClock } from '../runtime/threads/clock.ts';
import { Supervisor } from '../runtime/threads/supervisor.ts';
import { exportSpans } from './export-spans.ts';
import { descriptorsAllowed, descriptorsOpen, watchDescriptors } from './file-descriptors.ts';
import type { DataFolder } from './folder/data-folder.ts';
import {
  type FolderManifest,
  type FormerFolderManifest,
  isFormer,
  nextEpoch,
  unclosedStartsOf,
} from './folder/manifest.ts';
import { createCertificateTurn } from './listening/certificate-watch.ts';
import { createReport, type Report } from './log.ts';
import { LogOutput, openLogFile } from './log-output.ts';
import type { MainInput } from './main-input.ts';
import { startClock } from './own-clock.ts';
import { poisonFile } from './poison-file.ts';
import { sampleProcess } from './process-metrics.ts';
import { roleMemory, supervisedRoles, wantedThreads } from './roles.ts';
import { feedEntries, type Shared } from './shared.ts';
import { readTurnMarks } from './turn-marks.ts';

const [standardOutput, standardError] = [1, 2];

export interface ThreadsInput {
  readonly main: Pick<MainInput, 'entry' | 'cores' | 'memoryBytes'>;
  readonly options: Options;
  readonly folder: DataFolder;
  /** Of the folder; absent for a new one. */
  readonly manifest: FolderManifest | FormerFolderManifest | undefined;
  /** False for the few threads of a single command. */
  readonly listening: boolean;
}

export interface Threads {
  /** They are not started yet. */
  readonly supervisor: Supervisor<Shared>;
  /** How many they will have. */
  readonly partitions: number;
  readonly log: LogOutput;
  /** In which the threads open the partitions, where a cluster decides it; before they start. */
  decideEpoch(epoch: number): void;
  /** Of a server that does not go by the clock of the machine. */
  readonly clockShift: ClockShift | undefined;
  readonly shared: Shared;
  readonly report: Report;
  /** Sends the last spans of traced requests, once the threads have ended. */
  endSpans(): Promise<void>;
}

/** Throws an Error whose message is a sentence for the operator. */
export function createThreads(input: ThreadsInput): Threads {
  const { main, options, folder, manifest, listening } = input;
  const clockShift = startClock(options);
  const logFile = openLogFile(listening ? standardOutput : standardError);
  const log = new LogOutput(logFile);
  log.retry();
  const report = createReport({ options, logFile }, 'main');
  const plan = planThreads(wantedThreads, options, main.cores, manifest?.partitions);
  const memory = planMemory(roleMemory, options, plan, main.memoryBytes);
  const rings = options.feedRings || ringsWithin(memory.feedBytes, feedEntries);
  const shared: Shared = {
    options,
    logFile,
    plan,
    memory,
    dataDirectory: folder.path,
    generation: manifest === undefined || isFormer(manifest) ? 0 : (manifest.generation ?? 0),
    epochMemory: new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)).fill(nextEpoch(manifest)),
    servesUntil: new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)).fill(Number.POSITIVE_INFINITY),
    ringMemory: Array.from({ length: plan.partitions }, () => allocateRings(rings, feedEntries)),
    rateLimitMemory: options.rateLimits ? createRateLimitMemory() : undefined,
    clockShift,
    certificateTurn: listening && options.tlsCertificate !== undefined ? createCertificateTurn() : undefined,
    listening,
  };
  const marks = readTurnMarks(folder.path, unclosedStartsOf(manifest) > 0, report);
  let spans: SpanExport | undefined;
  const supervisor = new Supervisor<Shared>({
    entry: main.entry,
    roles: supervisedRoles(listening ? plan.counts : undefined, {
      heapBytesMax: memory.heapBytesMax,
      isOnlyRelay: options.relay === 'only',
    }),
    boot: Math.floor(Math.random() * 2 ** 47),
    shared,
    report,
    spans: (batch) => spans?.add(batch),
    poisonStore: poisonFile(folder.path, report),
    markPathOf: marks.pathOf,
    gaveUp: (clean) => void log.flush().then(() => endProcess(1, clean)),
  });
  for (const { digest, head } of marks.killers) supervisor.poison.killedProcesses(digest, head);
  sampleProcess(supervisor.metrics, memory.totalBytes);
  if (listening) spans = exportSpans(options, supervisor.metrics, report);
  const descriptors = descriptorsAllowed();
  if (descriptors !== undefined && listening)
    watchDescriptors(supervisor.metrics, descriptors, {
      open: () => descriptorsOpen(descriptors),
      monotonic: () => systemClock.monotonic(),
      report,
    });
  for (const [partition, ringMemory] of shared.ringMemory.entries())
    measureCache(supervisor.metrics, ringCache(partition, ringMemory));
  const decideEpoch = (epoch: number) => void shared.epochMemory.fill(epoch);
  return {
    supervisor,
    partitions: plan.partitions,
    log,
    decideEpoch,
    clockShift,
    shared,
    report,
    endSpans: async () => spans?.close(),
  };
}

/** Everything that could be ended has ended. Open native sockets would turn any exit into a crash. */
export function endProcess(code: number, clean: boolean): void {
  if (clean) process.exit(code);
  process.kill(process.pid, 'SIGKILL');
}

/** Nothing more is served, not even to the end of what has begun. */
export function endAtOnce(sentence: string): void {
  writeSync(standardError, `${sentence}\n`);
  endProcess(1, false);
}
