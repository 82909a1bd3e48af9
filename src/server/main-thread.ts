/** The main thread: options, data folder, supervision, signals; or one command of the operator. */
import '../gateway/http/native-settings.ts';

import { openAdminClient } from '../gateway/admin/client.ts';
import { serveAdmin } from '../gateway/admin/server.ts';
import { isCommand, runCommand } from '../gateway/cli/main.ts';
import { createRateLimitMemory } from '../gateway/http/rate-limits.ts';
import { loadOptions, OptionsError } from '../options/load.ts';
import type { Options } from '../options/table.ts';
import { planThreads } from '../options/threads.ts';
import { assertLimits } from '../runtime/limits.ts';
import { allocateRings } from '../runtime/shared-rings.ts';
import { Supervisor } from '../runtime/threads/supervisor.ts';
import { openDataFolder, rememberPartitions } from './data-folder.ts';
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

interface Running {
  readonly supervisor: Supervisor<Shared>;
  readonly adminSocket: string;
}

async function startThreads(input: MainInput, options: Options, listening: boolean): Promise<Running> {
  const folder = openDataFolder(options.dataDirectory);
  if ((await openAdminClient(folder.adminSocket)) !== undefined) {
    throw new Error(`Another server is running on the data folder ${folder.path}.`);
  }
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
    gaveUp: () => {
      report({ level: 'error', message: 'a thread keeps failing: the server gives up' });
      process.exit(1);
    },
  });
  await supervisor.start();
  return { supervisor, adminSocket: folder.adminSocket };
}

async function serve(input: MainInput, options: Options): Promise<void> {
  const running = await startThreads(input, options, true).catch((error: unknown) => {
    // The thread that failed has said why in the log; the operator gets one sentence.
    process.stderr.write(`The server could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  });
  if (running === undefined) process.exit(1);
  const { supervisor, adminSocket } = running;
  const admin = await serveAdmin(adminSocket, (request) => supervisor.admin(request));
  process.stdout.write(`Murmuration is ready: open ${options.origin} in a browser.\n`);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await admin.close();
    process.exit((await supervisor.stop()) ? 0 : 1);
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
}

/** The running server's admin socket, or, when there is none, the same actors started for this one command. */
async function openAdmin(input: MainInput, options: Options) {
  const { adminSocket } = openDataFolder(options.dataDirectory);
  const running = await openAdminClient(adminSocket);
  if (running !== undefined) return running;
  const { supervisor } = await startThreads(input, options, false);
  return {
    request: (request: unknown) => supervisor.admin(request),
    close: async () => {
      await supervisor.stop();
    },
  };
}
