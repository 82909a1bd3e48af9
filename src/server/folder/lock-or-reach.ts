/** Locks the data folder, or finds the server that holds it. */
import { setTimeout } from 'node:timers/promises';
import { type AdminClient, openAdminClient } from '../../gateway/operator/admin/client.ts';
import { threadLimits } from '../../runtime/limits.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import type { DataFolder } from './data-folder.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';

/** A command releases the folder in about a second, a stopping server when gateways, network and owners have ended in turn. */
const patienceMilliseconds = 3 * threadLimits.stopDeadlineMilliseconds;
const pauseMilliseconds = 30;

/**
 * The lock, or a connection to the server that holds it. `tell`: see `lockFolder`. Rejects with an Error whose message is a sentence for the
 * operator when another process holds the folder and does not answer, or the folder cannot be written, and with the reason
 * of the signal.
 */
export async function lockOrReach(
  folder: DataFolder,
  signal?: AbortSignal,
  tell?: (sentence: string) => void,
): Promise<FolderLock | AdminClient> {
  const deadline = systemClock.monotonic() + patienceMilliseconds;
  for (;;) {
    const holder = await tryOnce(folder, signal, tell);
    if (holder !== undefined) return holder;
    if (systemClock.monotonic() >= deadline) {
      throw new Error(
        `The data folder ${folder.path} is in use by a server that is starting or stopping, or by a command.`,
      );
    }
    await setTimeout(pauseMilliseconds, undefined, { signal });
  }
}

async function tryOnce(
  { path, lockSocket, adminSocket }: DataFolder,
  signal: AbortSignal | undefined,
  tell: ((sentence: string) => void) | undefined,
): Promise<FolderLock | AdminClient | undefined> {
  try {
    return (await lockFolder(lockSocket, signal, tell)) ?? (await openAdminClient(adminSocket));
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new Error(`The data folder ${path} cannot be used: ${error.message}.`, { cause: error });
  }
}

/** Whether `lockOrReach` has rejected because the file system of the folder cannot be written. */
export function isOfReadOnlyFolder(error: unknown): boolean {
  return error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EROFS';
}

export function isRunningServer(holder: FolderLock | AdminClient): holder is AdminClient {
  return 'running' in holder;
}
