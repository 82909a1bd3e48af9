/** Servers and commands as processes: reasons for which they do not start, and their messages. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';

const startFile = join(import.meta.dirname, '../../src/start.mjs');

let server: RunningServer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-start-'));
  const environment = { MURMURATION_OWNERS: '3', UV_THREADPOOL_SIZE: '' };
  server = await startTestServer({ dataDirectory: join(folder, 'data'), environment });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

// because only Linux shows the threads of a process and their names
test.skipIf(process.platform !== 'linux')('the pool of the library is as large as the owners need', () => {
  const tasks = `/proc/${server.process.pid}/task`;
  const names = readdirSync(tasks).map((task) => readFileSync(join(tasks, task, 'comm'), 'utf8').trim());
  expect(names.filter((name) => name === 'libuv-worker')).toHaveLength(12);
});

test('a second server on the same data folder does not start', async () => {
  const second = startTestServer({ dataDirectory: server.dataDirectory });
  await expect(second).rejects.toThrow(
    `ended with code 1:\nThe server could not start: Another server is running on the data folder ${server.dataDirectory}.`,
  );
});

test('a second server on the same port does not start', async () => {
  const second = startTestServer({ port: server.port, dataDirectory: join(folder, 'other') });
  await expect(second).rejects.toThrow(`Port ${server.port} of 127.0.0.1 is in use by another program.`);
});

test('a wrong option is refused before anything is touched', async () => {
  const second = startTestServer({
    dataDirectory: join(folder, 'never'),
    environment: { MURMURATION_PARTITIONS: 'many' },
  });
  await expect(second).rejects.toThrow('ended with code 2:\nMURMURATION_PARTITIONS must be a whole number');
  expect(existsSync(join(folder, 'never'))).toBe(false);
});

test.each([
  [
    'a host that is none',
    { MURMURATION_HOST: 'no.such.invalid' },
    'The server could not start: The server cannot listen on no.such.invalid, which is',
  ],
  [
    'a clock of its own for a server that others reach',
    { MURMURATION_CLOCK: '2026-01-02T03:04:05Z', MURMURATION_ORIGIN: 'https://social.example' },
    'The server could not start: MURMURATION_CLOCK is for development',
  ],
  [
    'an address of another machine',
    { MURMURATION_HOST: '192.0.2.1' },
    'The server could not start: The server cannot listen on 192.0.2.1, which is not an address of this machine.',
  ],
])('%s is refused before there is a data folder', async (_name, environment, sentence) => {
  const dataDirectory = join(folder, 'nowhere');
  await expect(startTestServer({ dataDirectory, environment })).rejects.toThrow(sentence);
  expect(existsSync(dataDirectory)).toBe(false);
});

test('a port for the metrics that is taken, or that of the server, is refused before there is a data folder', async () => {
  const dataDirectory = join(folder, 'nowhere');
  const port = await freePort('127.0.0.1');
  const start = (metricsPort: number) =>
    startTestServer({ dataDirectory, port, environment: { MURMURATION_METRICS_PORT: String(metricsPort) } });
  await expect(start(port)).rejects.toThrow(
    `ended with code 1:\nThe server could not start: The metrics need a port of their own: ${port} is that of the server.`,
  );
  await expect(start(server.port)).rejects.toThrow(`Port ${server.port} of 127.0.0.1 is in use by another program.`);
  expect(existsSync(dataDirectory)).toBe(false);
});

test('another origin than the one that the accounts have is refused; commands know it by themselves', async () => {
  const dataDirectory = join(folder, 'renamed');
  const first = await startTestServer({ dataDirectory });
  await first.createUser('alice');
  expect(await first.stop()).toBe(0);
  const other = startTestServer({
    dataDirectory,
    port: first.port,
    environment: { MURMURATION_ORIGIN: 'https://b.example' },
  });
  await expect(other).rejects.toThrow(
    `belong to ${first.origin}; other servers would not recognise them as accounts of https://b.example`,
  );
  expect(await first.run('accounts', 'show', 'alice')).toContain('User name: alice');
  const again = await startTestServer({ dataDirectory, port: first.port });
  expect((await again.fetch('/@alice')).status).toBe(200);
  expect(await again.stop()).toBe(0);
});

test('a free port is part of the origin, and is taken again by the next start', async () => {
  const dataDirectory = join(folder, 'free');
  const environment = { MURMURATION_PORT: '0', MURMURATION_ORIGIN: '' };
  // No other test has ports of this address: one could get this port between the two starts.
  const host = '127.0.0.9';
  const first = await startTestServer({ dataDirectory, environment, host });
  const origin = /open (http:\/\/localhost:[1-9]\d*) in/.exec(first.output())![1]!;
  const instance = await (await fetch(`${origin.replace('localhost', host)}/api/v1/instance`)).json();
  expect(`http://${(instance as { uri: string }).uri}`).toBe(origin);
  expect(await first.stop()).toBe(0);
  const second = await startTestServer({ dataDirectory, environment, host });
  expect(second.output()).toContain(`open ${origin} in`);
  expect(await second.stop()).toBe(0);
});

/** Runs a command in a process of its own. */
function command(dataDirectory: string, line: string) {
  const environment = { ...process.env, MURMURATION_DATA_DIR: dataDirectory };
  return promisify(execFile)(process.execPath, [startFile, ...line.split(' ')], { env: environment });
}

test('a command and a server wait for each other', async () => {
  const dataDirectory = join(folder, 'shared');
  const environment = { MURMURATION_DATA_DIR: dataDirectory };
  const [first, started] = await Promise.all([
    command(dataDirectory, 'settings title Birds'),
    startTestServer({ dataDirectory, environment }),
  ]);
  expect(first.stdout).toBe('Title: Birds\n');
  const stopped = started.stop();
  const afterwards = await command(dataDirectory, 'status');
  expect(afterwards.stdout).toContain('Users: 0');
  expect(await stopped).toBe(0);
});

test('a command that sets a server up says when it has made a new data folder', async () => {
  const dataDirectory = join(folder, 'fresh');
  const sentence = `There was no data folder ${dataDirectory}: it is new.\n`;
  expect(await command(dataDirectory, 'settings title Birds')).toMatchObject({ stderr: sentence });
  expect(await command(dataDirectory, 'status')).toMatchObject({
    stderr: '',
    stdout: expect.stringContaining('Users: 0'),
  });
});

test.each([
  'status',
  'check',
  'accounts modify alice --suspend',
])('%s in a folder without data says so and leaves nothing behind', async (line) => {
  const above = join(folder, 'above');
  const missing = join(above, 'missing');
  const sentence = (path: string) => ({
    code: 1,
    stdout: '',
    stderr: `There is no server's data in the folder ${path}: run this in the server's directory, or with its MURMURATION_DATA_DIR.\n`,
  });
  await expect(command(missing, line)).rejects.toMatchObject(sentence(missing));
  expect(existsSync(above)).toBe(false);
  const other = mkdtempSync(join(folder, 'other-'));
  chmodSync(other, 0o755);
  await expect(command(other, line)).rejects.toMatchObject(sentence(other));
  expect(readdirSync(other)).toEqual([]);
  expect(statSync(other).mode & 0o777).toBe(0o755);
});
