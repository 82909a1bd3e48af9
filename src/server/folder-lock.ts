/**
 * One process at a time has the data folder: whoever listens on the lock socket inside has it, and the operating system
 * takes it back when the process ends, however that happens.
 *
 * INVARIANT a socket that an earlier process left behind is removed only by the start that holds the guard, so that two
 * starts at once never remove each other's.
 */
import { mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface FolderLock {
  release(): Promise<void>;
}

const attempts = 100;
const pauseMilliseconds = 50;
/** A start that died while it held the guard holds it no longer than this. */
const guardMilliseconds = 10_000;

/** Undefined when another process has the folder. Rejects with the error of the operating system otherwise. */
export async function lockFolder(socketPath: string): Promise<FolderLock | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const server = await listen(socketPath);
    if (server !== undefined) {
      server.unref();
      return { release: () => new Promise((resolve) => server.close(() => resolve())) };
    }
    if (await isAnswered(socketPath)) return undefined;
    if (!(await removeLeftOver(socketPath))) await setTimeout(pauseMilliseconds);
  }
  return undefined;
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(path, () => resolve(server));
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

/** False when another start has the guard. */
async function removeLeftOver(path: string): Promise<boolean> {
  const guard = `${path}.guard`;
  if (!takeGuard(guard)) return false;
  try {
    // Another start may have removed it, and have the lock by now.
    if (!(await isAnswered(path))) rmSync(path, { force: true });
  } finally {
    rmdirSync(guard);
  }
  return true;
}

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
    if (Date.now() - statSync(guard).mtimeMs > guardMilliseconds) rmdirSync(guard);
  } catch (error) {
    // Whoever had it has just dropped it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
