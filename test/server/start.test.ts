/** Servers and commands as processes: what keeps one from starting, and what it says. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startTestServer } from '../support/server.ts';

const startFile = join(import.meta.dirname, '../../src/start.mjs');

let server: RunningServer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-start-'));
  server = await startTestServer({ dataDirectory: join(folder, 'data') });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
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

test('a command says when it has made a new data folder', async () => {
  const dataDirectory = join(folder, 'fresh');
  const environment = { ...process.env, MURMURATION_DATA_DIR: dataDirectory };
  const status = () => promisify(execFile)(process.execPath, [startFile, 'status'], { env: environment });
  const sentence = `There was no data folder ${dataDirectory}: it is new.\n`;
  expect(await status()).toMatchObject({ stderr: sentence, stdout: expect.stringContaining('Users: 0') });
  expect(await status()).toMatchObject({ stderr: '' });
});
