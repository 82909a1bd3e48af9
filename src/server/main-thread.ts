/** The main thread: options, data folder, supervision, signals; or one command of the operator. */
import '../gateway/http/native-settings.ts';

import { openAdminClient } from '../gateway/admin/client.ts';
import { type AdminServer, serveAdmin } from '../gateway/admin/server.ts';
import { isCommand, runCommand } from '../gateway/cli/main.ts';
import { createRateLimitMemory } from '../gateway/http/rate-limits.ts';
import { loadOptions, OptionsError } from '../options/load.ts';
import type { Options } from '../options/table.ts';
import { planThreads } from '../options/threads.ts';
import { assertLimits } from '../runtime/limits.ts';
import { allocateRings } from '../runtime/shared-rings.ts';
import { Supervisor } from '../runtime/threads/supervisor.ts';
import { type DataFolder, openDataFolder, rememberPartitions } from './data-folder.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { assertPortFree } from './free-port.ts';
import { createReport } from './log.ts';
import { feedEntries, type Shared } from './shared.ts';

export interface MainInput {
  readonly programArguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly configurationFolder: string;
  readonly entry: URL;
  readonly cores: number;
}

export async function runMain(input: MainInput): Promise<void> {
  assertLimits();
  const commanded = isCommand(input.programArguments);
  const options = readOptions(input, commanded ? [] : input.programArguments);
  if (options === undefined) return;
  if (commanded) {
    process.exitCode = await runCommand(input.programArguments, {
      options,
      openAdmin: () => openAdmin(input, options),
    });
    return;
  }
  await serve(input, options);
}

function readOptions(input: MainInput, programArguments: readonly string[]): Options | undefined {
  try {
    const { environment, configurationFolder } = input;
    return loadOptions({ environment, configurationFolder, arguments: programArguments });
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
    return undefined;
  }
}

/** Rejects with an Error whose message is a sentence for the operator; nothing has begun then, or all of it has ended. */
async function startThreads(
  input: MainInput,
  options: Options,
  folder: DataFolder,
  listening: boolean,
): Promise<Supervisor<Shared>> {
  const plan = planThreads(options, input.cores, folder.partitions);
  rememberPartitions(folder, plan.partitions);
  const report = createReport(options.logLevel, 'main');
  const supervisor = new Supervisor<Shared>({
    entry: input.entry,
    counts: listening
      ? { owner: plan.owners, gateway: plan.gateways, network: plan.networkThreads }
      : { owner: 1, gateway: 1, network: 1 },
    boot: Math.floor(Math.random() * 2 ** 47),
    shared: {
      options,
      plan,
      dataDirectory: folder.path,
      ringMemory: Array.from({ length: plan.partitions }, () => allocateRings(options.feedRings, feedEntries)),
      rateLimitMemory: options.rateLimits ? createRateLimitMemory() : undefined,
      listening,
    },
    report,
    gaveUp: (clean) => endProcess(1, clean),
  });
  await supervisor.start();
  return supervisor;
}

/** Rejects with an Error whose message is a sentence for the operator when another process has the folder. */
async function takeFolder(folder: DataFolder): Promise<FolderLock> {
  const lock = await lockFolder(folder.lockSocket);
  if (lock !== undefined) return lock;
  const running = await openAdminClient(folder.adminSocket);
  await running?.close();
  throw new Error(
    running === undefined
      ? `The data folder ${folder.path} is in use by a server that is starting or stopping, or by a command.`
      : `Another server is running on the data folder ${folder.path}.`,
  );
}

async function start(
  input: MainInput,
  options: Options,
): Promise<{ supervisor: Supervisor<Shared>; admin: AdminServer }> {
  const folder = openDataFolder(options.dataDirectory);
  await takeFolder(folder);
  await assertPortFree(options.host, options.port);
  const supervisor = await startThreads(input, options, folder, true);
  try {
    return { supervisor, admin: await serveAdmin(folder.adminSocket, (request) => supervisor.admin(request)) };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

async function serve(input: MainInput, options: Options): Promise<void> {
  const running = await start(input, options).catch((error: unknown) => {
    // The thread that failed has said why in the log; the operator gets one sentence.
    process.stderr.write(`The server could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  });
  if (running === undefined) process.exit(1);
  const { supervisor, admin } = running;
  process.stdout.write(`Murmuration is ready: open ${options.origin} in a browser.\n`);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await admin.close();
    const clean = await supervisor.stop();
    endProcess(clean ? 0 : 1, clean);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
}

/** Everything that could be ended has ended. Native sockets that are still open would make of any exit a crash. */
function endProcess(code: number, clean: boolean): void {
  if (clean) process.exit(code);
  process.kill(process.pid, 'SIGKILL');
}

/** The running server's admin socket, or, when there is none, the same actors started for this one command. */
async function openAdmin(input: MainInput, options: Options) {
  const folder = openDataFolder(options.dataDirectory);
  const running = await openAdminClient(folder.adminSocket);
  if (running !== undefined) return running;
  const lock = await takeFolder(folder);
  // Somebody in the wrong directory would wonder where all the accounts are.
  if (folder.partitions === undefined) process.stderr.write(`There was no data folder ${folder.path}: it is new.\n`);
  const supervisor = await startThreads(input, options, folder, false);
  return {
    request: (request: unknown) => supervisor.admin(request),
    close: async () => {
      await supervisor.stop();
      await lock.release();
    },
  };
}
