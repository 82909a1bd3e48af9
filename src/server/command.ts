/** One command of the operator: carried out by the server that runs, or by the same actors started for it alone. */
import { runCommand } from '../gateway/operator/cli/main.ts';
import type { Options } from '../options/table.ts';
import { checkFolder, type FolderCheck } from './folder/check-folder.ts';
import { dropUnused, openDataFolder } from './folder/data-folder.ts';
import { assertSamePartitions, readManifest } from './folder/manifest.ts';
import { prepareFolder, recordCommits } from './folder/prepare.ts';
import { isRunningServer, lockOrReach } from './folder/take-folder.ts';
import type { MainInput } from './main-input.ts';
import { createOperator } from './operator.ts';
import { createThreads } from './start-threads.ts';
import { listenForStopRequest } from './stop-request.ts';

/** Answers the exit code. */
export function carryOutCommand(input: MainInput, options: Options): Promise<number> {
  return runCommand(input.programArguments, {
    openAdmin: () => openAdmin(input, options),
    interruption: listenForStopRequest,
    check: () => checkStopped(options),
  });
}

async function checkStopped({ dataDirectory }: Options): Promise<FolderCheck> {
  const folder = openDataFolder(dataDirectory);
  const holder = await lockOrReach(folder);
  if (isRunningServer(holder)) {
    await holder.close();
    throw new Error(`A server is running on the data folder ${folder.path}: stop it first.`);
  }
  try {
    return await checkFolder(folder);
  } finally {
    await holder.release();
    dropUnused(folder);
  }
}

async function openAdmin(input: MainInput, configured: Options) {
  const folder = openDataFolder(configured.dataDirectory);
  const holder = await lockOrReach(folder);
  if (isRunningServer(holder)) return holder;
  const manifest = readManifest(folder);
  // Somebody in the wrong directory would wonder where all the accounts are.
  if (manifest === undefined) process.stderr.write(`There was no data folder ${folder.path}: it is new.\n`);
  const names = manifest?.origin === undefined ? configured : manifest;
  const options = { ...configured, origin: names.origin ?? configured.origin, domain: names.domain };
  const existingPartitions = manifest?.partitions;
  assertSamePartitions(folder, existingPartitions, options.partitions);
  const threads = createThreads({ main: input, options, folder, existingPartitions, listening: false });
  const { supervisor, partitions } = threads;
  // Which origin the accounts are to have, the first server decides.
  const prepared = await prepareFolder(folder, { partitions, origin: undefined });
  await supervisor.start();
  return {
    request: createOperator(supervisor),
    close: async () => {
      if (await supervisor.stop()) await recordCommits(folder, prepared);
      await holder.release();
    },
  };
}
