/** Unix sockets to listen on: one for each gateway, because only ports can be shared. */
import { existsSync, lstatSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';

/** The system's limit for names of sockets; 103 on macOS. */
const pathBytesMax = 103;

export function socketPaths(path: string, gateways: number): string[] {
  return Array.from({ length: gateways }, (_, index) => socketPath(path, index));
}

export function socketPath(path: string, gateway: number): string {
  return gateway === 0 ? path : `${path}.${gateway}`;
}

/**
 * What another server left behind is replaced. Rejects with an Error whose message is a sentence for the operator for anything
 * else at the path, and where somebody listens.
 */
export async function assertSocketFree(path: string): Promise<void> {
  if (Buffer.byteLength(path) > pathBytesMax) throw new Error(`The path of the socket ${path} is too long.`);
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`There is no folder ${folder} for the socket.`);
  if (!existsSync(path)) return;
  if (!lstatSync(path).isSocket()) throw new Error(`There is something else than a socket at ${path}.`);
  if (await isListening(path)) throw new Error(`Another program listens on the socket ${path}.`);
}

export function removeSockets(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
