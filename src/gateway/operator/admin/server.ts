/**
 * The admin socket of a running server: requests of the operator's command line, answered in order. Whoever can open
 * the socket may do everything, so only its owner can.
 */
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { adminLimits } from './limits.ts';
import { parseLine, receiveLines, sendLine } from './lines.ts';
import type { AdminAnswer } from './requests.ts';

export interface AdminServer {
  close(): Promise<void>;
}

const othersMayNothing = 0o177;

/**
 * Listens at `path`, replacing a socket left behind by an earlier run: the caller makes sure that nobody listens there.
 * Rejects with the error of the operating system. Must run on the main thread.
 */
export async function serveAdmin(path: string, handle: (request: unknown) => Promise<unknown>): Promise<AdminServer> {
  rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // An aborted client needs no report.
    socket.on('error', () => socket.destroy());
    answerInTurn(socket, handle);
  });
  server.maxConnections = adminLimits.connectionsMax;
  await listenPrivately(server, path);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** The file is created with its permissions, so that others can never open it. */
function listenPrivately(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(othersMayNothing);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(before);
    }
  });
}

function answerInTurn(socket: Socket, handle: (request: unknown) => Promise<unknown>): void {
  let turn = Promise.resolve();
  receiveLines(socket, (line) => {
    turn = turn.then(async () => sendLine(socket, await answerTo(line, handle)));
  });
}

async function answerTo(line: string, handle: (request: unknown) => Promise<unknown>): Promise<unknown> {
  const request = parseLine(line);
  if (request === undefined) return refusal('The request is not JSON.');
  try {
    return await handle(request);
  } catch (error) {
    return refusal(`The server failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refusal(sentence: string): AdminAnswer {
  return { ok: false, sentence };
}
