/**
 * One process at a time holds the data folder: the one that listens on the lock socket inside it. The operating system
 * releases the lock when the process ends, however it ends.
 *
 * INVARIANT only the process with the guard directory binds the socket, or removes one that an earlier process left
 * behind: a socket that is bound but not listening yet looks like a dead one.
 */
import { mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../runtime/threads/clock.ts';

export interface FolderLock {
  release(): Promise<void>;
}

const pauseMilliseconds = 50;
/** The guard of a process that died expires after this. */
const guardMilliseconds = 10_000;
/** Somebody who waits longer than that for the guard is told. */
const untoldAttempts = 10;
/** Longer than the guard. */
const attempts = (guardMilliseconds * 1.2) / pauseMilliseconds;

/**
 * Undefined when another process holds the folder. `tell` gets a sentence where this takes long. Rejects with the reason of the signal, or an error of the operating
 * system.
 */
export async function lockFolder(
  socketPath: string,
  signal?: AbortSignal,
  tell: (sentence: string) => void = () => undefined,
): Promise<FolderLock | undefined> {
  const guard = `${socketPath}.guard`;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await isAnswered(socketPath)) return undefined;
    if (takeGuard(guard)) return await bindGuarded(socketPath, guard);
    if (attempt === untoldAttempts) tell(waitingFor(guard));
    await setTimeout(pauseMilliseconds, undefined, { signal });
  }
  return undefined;
}

/** Whether another process holds the folder, now. */
export function isLocked(socketPath: string): Promise<boolean> {
  return isAnswered(socketPath);
}

function waitingFor(guard: string): string {
  return `Waiting for ${guard}: another start has it for an instant, or one that was killed left it behind, and then it counts for ${guardMilliseconds / 1_000} seconds.`;
}

/** Undefined when another process was faster. */
async function bindGuarded(socketPath: string, guard: string): Promise<FolderLock | undefined> {
  try {
    if (await isAnswered(socketPath)) return undefined;
    rmSync(socketPath, { force: true });
    const server = await listen(socketPath);
    return { release: () => new Promise((resolve) => server.close(() => resolve())) };
  } finally {
    // Already gone if all of this took so long that the guard expired.
    rmSync(guard, { recursive: true, force: true });
  }
}

/** Without keeping the process alive. */
function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(path, () => resolve(server.unref()));
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** False when another process has it. */
function takeGuard(guard: string): boolean {
  try {
    mkdirSync(guard);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    dropOldGuard(guard);
    return false;
  }
}

function dropOldGuard(guard: string): void {
  try {
    // One of the future is old as well: the clock was set back since.
    if (Math.abs(systemClock.now() - statSync(guard).mtimeMs) > guardMilliseconds) rmdirSync(guard);
  } catch (error) {
    // Its holder has just removed it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
