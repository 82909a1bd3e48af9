/** The admin socket: real files, real sockets. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAdminClient } from '../../../src/gateway/operator/admin/client.ts';
import { adminLimits } from '../../../src/gateway/operator/admin/limits.ts';
import { type AdminServer, serveAdmin } from '../../../src/gateway/operator/admin/server.ts';

let folder: string;
let path: string;
let server: AdminServer | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-admin-'));
  path = join(folder, 'admin.sock');
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true });
});

const echo = async (request: unknown) => ({ ok: true, lines: [JSON.stringify(request)] });

/** What comes back for bytes that a proper client would not send. */
async function answerTo(bytes: string): Promise<string> {
  const socket = createConnection(path);
  socket.end(bytes);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

test('answers requests in their order, each with its own answer', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  server = await serveAdmin(path, async (request) => {
    if (request === 1) await held;
    return echo(request);
  });
  const client = await openAdminClient(path);
  expect(client?.running).toBe(true);
  const answers = Promise.all([1, 2, 'Zoë\n'].map((request) => client!.request(request)));
  release();
  expect(await answers).toEqual(['1', '2', '"Zoë\\n"'].map((line) => ({ ok: true, lines: [line] })));
  await client!.close();
});

test('only its owner may open it', async () => {
  server = await serveAdmin(path, echo);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('is removed when the server stops', async () => {
  server = await serveAdmin(path, echo);
  await server.close();
  server = undefined;
  expect(existsSync(path)).toBe(false);
  expect(await openAdminClient(path)).toBeUndefined();
});

test('replaces what a server that crashed left behind', async () => {
  writeFileSync(path, '');
  expect(await openAdminClient(path)).toBeUndefined();
  server = await serveAdmin(path, echo);
  const client = await openAdminClient(path);
  expect(await client!.request('here')).toEqual({ ok: true, lines: ['"here"'] });
  await client!.close();
});

test('reports what failed', async () => {
  server = await serveAdmin(path, () => Promise.reject(new Error('no luck')));
  const client = await openAdminClient(path);
  expect(await client!.request('x')).toEqual({ ok: false, sentence: 'The server failed: no luck' });
  await client!.close();
});

test('rejects what waits when the server goes away', async () => {
  server = await serveAdmin(path, () => new Promise(() => undefined));
  const client = await openAdminClient(path);
  const rejected = expect(client!.request('x')).rejects.toThrow('The server stopped before it answered.');
  await server.close();
  server = undefined;
  await rejected;
});

test('refuses what is no JSON, and too much of it', async () => {
  server = await serveAdmin(path, echo);
  expect(await answerTo('hello\n')).toBe('{"ok":false,"sentence":"The request is not JSON."}\n');
  const endless = createConnection(path);
  endless.on('error', () => endless.destroy());
  endless.write('x'.repeat(adminLimits.lineBytesMax + 1));
  await new Promise((resolve) => endless.once('close', resolve));
  expect(await answerTo('"still here"\n')).toContain('still here');
});
