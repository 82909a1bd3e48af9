/** The load tool against a plain server with the answers of another software: nothing of ours is needed. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assertMayLoad } from '../../../bench/load/command/may-load.ts';
import { runLoad, runLoadUntil } from './asking.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly type: string | undefined;
  readonly body: Buffer;
}

let other: Server;
let origin: string;
let asked: Asked[];
/** The status of an answer in place of 200. */
let refuse: (path: string) => number | undefined;
let answered: () => void;
const folder = mkdtempSync(join(tmpdir(), 'load-'));

const status = (id: number) => ({ id: String(id), reblog: null, account: { id: '7' } });

function answerOf(path: string, method: string): unknown {
  if (path.startsWith('/api/v1/accounts/verify_credentials'))
    return { id: '7', username: 'alice', acct: 'alice', url: '' };
  if (path.startsWith('/api/v1/timelines/home')) return [status(30), status(20), status(10)];
  if (path.startsWith('/api/v1/statuses') && method === 'POST') return status(40);
  if (path === '/api/v2/media') return { id: '50', type: 'image' };
  return {};
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = request.url!;
  asked.push({
    method: request.method!,
    path,
    token: request.headers.authorization,
    type: request.headers['content-type'],
    body: Buffer.concat(chunks),
  });
  response.statusCode = refuse(path) ?? 200;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  // In chunks, as most servers answer.
  response.write('');
  response.end(JSON.stringify(answerOf(path, request.method!)));
  answered();
}

beforeEach(async () => {
  asked = [];
  refuse = () => undefined;
  answered = () => undefined;
  other = createServer((request, response) => void serve(request, response));
  await new Promise<void>((listening) => void other.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});

afterEach(async () => {
  other.closeAllConnections();
  await new Promise((closed) => other.close(closed));
});

afterAll(() => rmSync(folder, { recursive: true }));

const quick = (...more: string[]) => [`--server=${origin}`, '--seconds=0.6', '--warm-up-seconds=0', ...more];

test('a mix of sessions: each request with its token, values of answers before, counted by name', async () => {
  const file = join(folder, 'page.html');
  writeFileSync(join(folder, 'tokens'), '# of two people\none\ntwo\n');
  const scenario = {
    name: 'small',
    parts: [{ kind: 'http', rate: 20, mix: { read: 1, write: 1 } }],
    sessions: {
      read: [
        { at: 0, name: 'home', get: '/api/v1/timelines/home', keep: 'statuses' },
        { at: 0.05, name: 'older', get: '/api/v1/timelines/home?max_id={oldest}' },
        { at: 0.05, name: 'thread', get: '/api/v1/statuses/{status}/context' },
        { at: 0.05, name: 'lacking', get: '/api/v1/statuses/{own}' },
      ],
      write: [
        { at: 0, name: 'upload', post: '/api/v2/media', picture: '8x6', keep: 'media' },
        { at: 0.05, name: 'post', post: '/api/v1/statuses', json: { status: '{text}', media_ids: ['{media}'] } },
      ],
    },
  };
  writeFileSync(join(folder, 'small.json'), JSON.stringify(scenario));
  const { code, report, said } = await runLoad(
    'run',
    join(folder, 'small.json'),
    ...quick(`--tokens=${join(folder, 'tokens')}`, `--report=${file}`, `--pid=${process.pid}`),
  );
  expect(code).toBe(0);
  const { latencies, parts, usage, seconds } = report();
  expect(seconds).toBeCloseTo(0.6, 1);
  expect(Object.keys(latencies).toSorted()).toEqual([
    'due to sent',
    'home',
    'lacking',
    'older',
    'post',
    'thread',
    'upload',
  ]);
  expect(parts[0]).toMatchObject({ sessionsAsked: 12, sessionsBegun: 12, sessionsNotBegun: 0 });
  expect(latencies.home!.count).toBe(6);
  expect(latencies.lacking!.errors['skipped: no own']).toBeGreaterThan(0);
  expect(usage.serverCpuSeconds).toBeGreaterThanOrEqual(0);
  const paths = asked.map(({ path }) => path);
  expect(paths).toContain('/api/v1/timelines/home?max_id=10');
  expect(paths.filter((path) => /^\/api\/v1\/statuses\/(10|20|30)\/context$/.test(path)).length).toBeGreaterThan(0);
  expect(new Set(asked.map(({ token }) => token))).toEqual(new Set(['Bearer one', 'Bearer two']));
  const upload = asked.find(({ path }) => path === '/api/v2/media')!;
  expect(upload.type).toMatch(/^multipart\/form-data; boundary=/);
  expect(upload.body.includes(Buffer.from([0x89, 0x50, 0x4e, 0x47]))).toBe(true);
  const post = asked.find(({ path, method }) => method === 'POST' && path === '/api/v1/statuses')!;
  expect(JSON.parse(post.body.toString())).toEqual({
    status: expect.stringMatching(/^bench~\d{6}~ /),
    media_ids: ['50'],
  });
  expect(said).toContain('lacking');
  const page = readFileSync(file, 'utf8');
  expect(page).toContain('<svg');
  expect(page).not.toMatch(/<script|src=|href=|@import|url\(/);
});

test('a server that is slower than asked for: latencies count from when requests were due, and what was not sent is told', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  other.removeAllListeners('request');
  other.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url!.includes('verify_credentials')) void serve(request, response);
    else void held.then(() => serve(request, response));
  });
  const args = ['http', ...quick('--token=one', '--rate=50', '--mix=public page=1', '--connections=1')];
  const { report } = await runLoadUntil(new AbortController().signal, args, (text) => {
    if (text.includes('waiting for what is under way')) release();
  });
  const { 'public timeline': found, 'due to sent': sent } = report().latencies;
  // One connection was held until the end, while thirty sessions began: nothing is left out.
  expect(found!.count + (found!.errors['unsent: no connection in time'] ?? 0)).toBe(30);
  expect(found!.p50).toBeGreaterThan(300);
  expect(sent!.max).toBeGreaterThan(300);
});

describe('what a run ends with', () => {
  test('errors are counted by kind, and a limit is explained', async () => {
    refuse = (path) => (path.includes('public') ? 429 : undefined);
    const { code, report, said } = await runLoad('http', ...quick('--token=one', '--rate=10', '--mix=public page=1'));
    expect(code).toBe(0);
    expect(report().latencies['public timeline']!.errors).toEqual({ 'rate limited (429)': 6 });
    expect(said).toContain('MURMURATION_RATE_LIMITS=off');
  });

  test('ended early it reports what it has', async () => {
    const interruption = new AbortController();
    answered = () => asked.length === 20 && interruption.abort();
    const args = ['http', `--server=${origin}`, '--seconds=600', '--warm-up-seconds=0', '--token=one', '--rate=50'];
    const { code, report } = await runLoadUntil(interruption.signal, args);
    expect(code).toBe(130);
    expect(report()).toMatchObject({ interrupted: true, secondsAsked: 600 });
    expect(report().seconds).toBeLessThan(5);
    expect(report().latencies.home!.count).toBeGreaterThan(0);
  });
});

describe('what does not begin', () => {
  const port = '9';

  test.each<[string, string[], number, RegExp]>([
    ['an unknown command', ['htp'], 2, /no command htp; there are http/],
    ['no server', ['http'], 2, /--server: /],
    [
      'an unknown option',
      ['http', '--server=http://127.0.0.1', '--rat=5'],
      2,
      /no option --rat\. Did you mean --rate\?/,
    ],
    ['a rate that is none', ['http', '--server=http://127.0.0.1', '--rate=many'], 2, /--rate: a number a second/],
    ['a path in the address', ['http', '--server=ftp://127.0.0.1/x'], 2, /--server: an address such as/],
    [
      'an unknown session',
      ['http', '--server=http://127.0.0.1', '--mix=dance=1'],
      2,
      /no session "dance" for the mix; there are open app/,
    ],
    [
      'an unknown scenario',
      ['run', 'reading-evning', '--server=http://127.0.0.1'],
      2,
      /Did you mean reading-evening\?/,
    ],
    [
      'a server elsewhere',
      ['http', '--server=http://192.0.2.1', '--token=x'],
      1,
      /192\.0\.2\.1 is not on this machine[\s\S]*--i-run-this-server/,
    ],
    [
      'nobody there',
      ['http', `--server=http://127.0.0.1:${port}`, '--token=x'],
      1,
      /does not answer: connection refused\.[\s\S]*start the server/,
    ],
    [
      'no such process',
      ['http', '--server=http://127.0.0.1', '--token=x', '--pid=4194305'],
      1,
      /There is no process 4194305/,
    ],
    ['no token', ['http', '--server=http://127.0.0.1'], 1, /There is no token\./],
    ['no file of tokens', ['http', '--server=http://127.0.0.1', '--tokens=/no/such'], 2, /There is no file \/no\/such/],
  ])('%s', async (_what, args, expected, sentence) => {
    const { code, output, said } = await runLoad(...args);
    expect({ code, output }).toEqual({ code: expected, output: '' });
    expect(said).toMatch(sentence);
  });

  test.each<[number, RegExp]>([
    [401, /refuses the token one…[\s\S]*make a new token/],
    [404, /answers \/api\/v1\/accounts\/verify_credentials with 404/],
    [429, /with 429[\s\S]*switch rate limits off/],
  ])('a server that answers %d', async (answer, sentence) => {
    refuse = () => answer;
    const { code, said } = await runLoad('http', ...quick('--token=one'));
    expect(code).toBe(1);
    expect(said).toMatch(sentence);
  });

  test('a scenario with mistakes names all of them', async () => {
    const file = join(folder, 'wrong.json');
    writeFileSync(
      file,
      JSON.stringify({
        name: 'wrong',
        parts: [{ kind: 'http', rate: -1, conections: 4 }],
        sessions: { odd: [{ at: 0, name: 'both', get: '/', post: '/' }] },
      }),
    );
    const { code, said } = await runLoad('run', file, ...quick());
    expect(code).toBe(2);
    expect(said).toMatch(/There is no parts\[0\]\.conections\. Did you mean parts\[0\]\.connections\?/);
    expect(said).toMatch(/parts\[0\]\.rate: Too small/);
    expect(said).toMatch(/sessions\.odd\[0\]: a request has either get or post/);
  });
});

test('a fleet whose addresses somebody else has does not begin', async () => {
  const taken = createServer();
  await new Promise<void>((listening) => void taken.listen(0, '127.1.0.1', listening));
  const { port } = taken.address() as AddressInfo;
  const { code, said } = await runLoad('inbox', ...quick('--token=one', '--keys=1', '--senders=1', `--port=${port}`));
  await new Promise((closed) => taken.close(closed));
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringMatching(/Nobody can listen on 127\.1\.0\.1/) });
});

test('only loopback is loaded without a word', async () => {
  await assertMayLoad(new URL('http://127.3.2.1:80'), false);
  await assertMayLoad(new URL('http://[::1]:80'), false);
  await assertMayLoad(new URL('http://localhost:80'), false);
  await expect(assertMayLoad(new URL('http://10.0.0.1'), false)).rejects.toThrow('not on this machine');
  await assertMayLoad(new URL('http://10.0.0.1'), true);
});

test('help names every option', async () => {
  const { code, output } = await runLoad('http', '--help');
  expect(code).toBe(0);
  expect(output).toMatch(/--timeout-seconds +a request that is not answered by then has failed \(default 10\)/);
  expect((await runLoad('--help')).output).toContain('murmuration load stream');
  expect((await runLoad()).code).toBe(2);
});
