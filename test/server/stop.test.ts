/** Stopping a server process: at any moment, with anything open, by any signal; nothing is lost. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from '../../src/server/folder/folder-lock.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';

const projectFolder = resolve(import.meta.dirname, '../..');

let folder: string;
let dataDirectory: string;
let sockets: Socket[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-stop-'));
  dataDirectory = join(folder, 'data');
  sockets = [];
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  rmSync(folder, { recursive: true, force: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly port: number;
  output(): string;
  readonly ended: Promise<unknown>;
}

async function run(program: string, ...programArguments: string[]): Promise<Run> {
  const port = await freePort();
  const child = spawn(program, programArguments, {
    cwd: projectFolder,
    env: {
      ...process.env,
      MURMURATION_PORT: String(port),
      MURMURATION_DATA_DIR: dataDirectory,
      MURMURATION_LOG_LEVEL: 'warn',
      // Without one the start says where mail goes.
      MURMURATION_SMTP_URL: 'smtp://127.0.0.1:1',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  // At `close` nobody is left who could write.
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  return { child, port, output: () => output, ended };
}

function runServer(): Promise<Run> {
  return run(process.execPath, 'src/start.mjs');
}

async function isAnswered({ port }: Run): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/api/v2/instance`)).ok;
}

/** Nobody has the data folder any more. */
async function isFolderFree(): Promise<boolean> {
  const lock = await lockFolder(join(dataDirectory, 'lock.sock'));
  await lock?.release();
  return lock !== undefined;
}

test('SIGTERM to `npm start` ends the server with it', async () => {
  const command = await run('npm', 'start');
  await until(() => isAnswered(command));
  command.child.kill('SIGTERM');
  expect(await command.ended).toBe(0);
  expect(await isFolderFree()).toBe(true);
  await expect(isAnswered(command)).rejects.toThrow();
});

test.each<[string, NodeJS.Signals, (server: Run) => boolean | Promise<boolean>]>([
  ['when there is a data folder', 'SIGTERM', () => existsSync(dataDirectory)],
  ['when the folder is locked', 'SIGINT', () => existsSync(join(dataDirectory, 'lock.sock'))],
  ['when the manifest is written', 'SIGTERM', () => existsSync(join(dataDirectory, 'manifest.json'))],
  ['when a partition is opened', 'SIGINT', () => existsSync(join(dataDirectory, 'partition-0'))],
  ['at the first answer', 'SIGTERM', isAnswered],
  ['when commands are taken', 'SIGHUP', () => existsSync(join(dataDirectory, 'admin.sock'))],
  ['when it is ready', 'SIGINT', (server) => server.output().includes('is ready')],
])('%s %s ends the start in order', async (_moment, signal, hasCome) => {
  const server = await runServer();
  await until(() => hasCome(server));
  server.child.kill(signal);
  expect(await server.ended).toBe(0);
  expect(server.output().replace(/^Murmuration is ready.*\n/, '')).toBe('');
});

test('the end of the process that started it, and is connected with it, ends it', async () => {
  const server = await runServer();
  await until(() => server.output().includes('is ready'));
  const ended = once(server.child, 'exit');
  server.child.disconnect();
  expect(await ended).toEqual([0, null]);
});

/** A socket to the server over which this was sent. */
async function sendTo({ port }: RunningServer, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const openers: Record<string, (server: RunningServer, alice: User) => Promise<unknown>> = {
  'an idle connection': async (server) =>
    once(await sendTo(server, 'GET /api/v2/instance HTTP/1.1\r\nHost: a\r\n\r\n'), 'data'),
  'half a request line': (server) => sendTo(server, 'GET /api/v2/ins'),
  'half a body': (server) =>
    sendTo(
      server,
      'POST /api/v1/apps HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"',
    ),
  'an SSE reader that has just come': async (server, { token }) =>
    once(
      await sendTo(server, `GET /api/v1/streaming/user HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`),
      'data',
    ),
  'an SSE reader that does not read': async (server, { token }) => {
    const target = `GET /api/v1/streaming/user HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const socket = (await sendTo(server, target)).pause();
    for (let post = 0; post < 20; post += 1) await postAs(server, token, `${post} ${'x'.repeat(400)}`);
    return socket;
  },
  'a WebSocket that does not read': async (server, { token }) =>
    (
      await sendTo(
        server,
        `GET /api/v1/streaming?stream=user&access_token=${token} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      )
    ).pause(),
};

function postAs(server: RunningServer, token: string, status: string): Promise<Response> {
  return server.fetch('/api/v1/statuses', { method: 'POST', token, json: { status } });
}

const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;

// Apart, they say which one it was.
test.each([
  ['everything at once', Object.values(openers)],
  ...(isLong ? Object.entries(openers).map(([name, open]) => [name, [open]] as const) : []),
] as const)('%s neither holds the end up nor is heard of in the log', async (_name, opened) => {
  const server = await startTestServer();
  const alice = await server.createUser('alice');
  await Promise.all(opened.map((open) => open(server, alice)));
  const ended = once(server.process, 'close');
  server.process.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  // It would say what it had waited for until a deadline.
  expect(server.output()).toMatch(/^No SMTP server.*\nMurmuration is ready.*\n$/);
  expect(await server.stop()).toBe(0);
});

test.each<NodeJS.Signals>([
  'SIGTERM',
  ...(isLong ? (['SIGINT'] as const) : []),
])('after %s among posts and streams every post that was acknowledged is there', async (signal) => {
  const server = await startTestServer({ dataDirectory });
  const alice = await server.createUser('alice');
  const { token } = alice;
  await openers['an SSE reader that has just come']!(server, alice);
  const socket = new WebSocket(`ws://${server.host}/api/v1/streaming?stream=user&access_token=${token}`);
  await once(socket, 'open');
  const acknowledged: string[] = [];
  const post = async (poster: number) => {
    for (let number = 0; ; number += 1) {
      // Refused or cut off: the server is stopping.
      const answer = await postAs(server, token, `${poster} ${number}`).catch(() => undefined);
      if (answer?.ok !== true) return;
      const status = await answer.json().catch(() => undefined);
      if (status !== undefined) acknowledged.push((status as { id: string }).id);
    }
  };
  const posters = [1, 2, 3, 4].map(post);
  await until(() => acknowledged.length >= 20);
  const ended = once(server.process, 'exit');
  server.process.kill(signal);
  expect(await ended).toEqual([0, null]);
  await Promise.all(posters);

  const again = await startTestServer({ dataDirectory, port: server.port });
  const found = await Promise.all(acknowledged.map((id) => again.fetch(`/api/v1/statuses/${id}`)));
  expect(found.filter(({ status }) => status !== 200)).toEqual([]);
  expect(await again.stop()).toBe(0);
  expect(readFileSync(join(dataDirectory, 'manifest.json'), 'utf8')).toContain(server.origin);
});
