/**
 * Rate limits of a running server: what is counted, for whom, and how clients are informed (behaviour of the Mastodon
 * API). Each test uses accounts and addresses of its own, because counts stay.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answered, type Ask, answered, askerOf, mistakesIn } from '../../support/asking.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import type { User } from '../../support/users.ts';

let server: RunningServer;
let ask: Ask;
let alice: User;
let bob: User;
let carol: User;

beforeAll(async () => {
  // A proxy's word on the address lets one machine be many.
  server = await startTestServer({ environment: { MURMURATION_RATE_LIMITS: 'on', MURMURATION_TRUSTED_PROXIES: '1' } });
  ask = askerOf(server);
  [alice, bob, carol] = await Promise.all(
    ['alice', 'bob', 'carol'].map((name) => server.createUser(name)) as [Promise<User>, Promise<User>, Promise<User>],
  );
});

afterAll(async () => {
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

interface Limit {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: string;
}

function limitOf({ headers }: Pick<Answered, 'headers'>): Limit {
  return {
    limit: Number(headers.get('x-ratelimit-limit') ?? Number.NaN),
    remaining: Number(headers.get('x-ratelimit-remaining') ?? Number.NaN),
    reset: headers.get('x-ratelimit-reset') ?? '',
  };
}

/** A request from an address. */
async function from(address: string, path: string, options: RequestInit = {}): Promise<Answered> {
  const headers = { 'x-forwarded-for': address, ...(options.headers as Record<string, string> | undefined) };
  return answered(await fetch(`${server.origin}${path}`, { ...options, headers }));
}

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Repeats a request until it is one too many; a window may end in between, so up to twice as often as allowed. */
async function untilRefused(allowed: number, question: () => Promise<Answered>): Promise<Answered[]> {
  const answers: Answered[] = [];
  while (answers.length < 2 * allowed + 10) {
    const wave = await Promise.all(Array.from({ length: Math.min(10, allowed) }, question));
    answers.push(...wave);
    if (wave.some(({ status }) => status === 429)) return answers;
  }
  throw new Error(`not refused within ${answers.length} requests`);
}

function expectTooMany(answer: Answered, limit: number, windowMinutes: number): void {
  expect([answer.status, answer.body.error]).toEqual([429, 'Too many requests']);
  expect(limitOf(answer)).toEqual({ limit, remaining: 0, reset: expect.any(String) });
  const left = Date.parse(limitOf(answer).reset) - Date.now();
  expect(left).toBeGreaterThan(-1_000);
  expect(left).toBeLessThanOrEqual(windowMinutes * 60_000);
}

test('every answer tells what is left, and when it begins anew', async () => {
  const first = limitOf(await ask(alice, 'GET', '/api/v1/accounts/verify_credentials'));
  const second = limitOf(await ask(alice, 'GET', '/api/v1/nothing'));
  const third = limitOf(await ask(alice, 'GET', '/api/v1/timelines/home'));
  expect(first).toEqual({
    limit: 300,
    remaining: expect.any(Number),
    reset: expect.stringMatching(/T\d\d:\d[05]:00\.000Z$/),
  });
  expect(second.limit).toBeNaN();
  expect([third.limit, third.remaining < first.remaining || third.reset > first.reset]).toEqual([300, true]);
});

test('an account has 300 requests in 5 minutes, from wherever it asks; others have their own', async () => {
  let address = 0;
  const request = () => {
    address += 1;
    return from(`192.0.2.${address % 200}`, '/api/v1/timelines/home', {
      headers: { authorization: `Bearer ${bob.token}` },
    });
  };
  const answers = await untilRefused(300, request);
  const refused = answers.find(({ status }) => status === 429)!;
  expectTooMany(refused, 300, 5);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(300);
  expect(refused.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Reset');
  expect((await ask(alice, 'GET', '/api/v1/timelines/home')).status).toBe(200);
});

/** The last group of an IPv6 address, another one each time. */
let groups = 0;
const nextGroup = () => {
  groups += 1;
  return groups.toString(16);
};

describe('an address', () => {
  test.each<[string, string, (address: string) => Promise<Answered>, number]>([
    ['without a token', '198.51.100.1', (address) => from(address, '/api/v1/timelines/public'), 200],
    [
      'with tokens that are none',
      '198.51.100.2',
      (address) => from(address, '/api/v1/timelines/home', { headers: { authorization: 'Bearer x' } }),
      401,
    ],
    ['with bodies that cannot be read', '198.51.100.3', (address) => from(address, '/api/v1/apps', json('{')), 400],
    [
      'with bodies of another kind',
      '198.51.100.4',
      (address) =>
        from(address, '/api/v1/apps', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }),
      415,
    ],
    [
      'of IPv6, with its whole network',
      '2001:db8::',
      (address) => from(`${address}${nextGroup()}`, '/api/v1/instance'),
      200,
    ],
  ])('%s has 300 requests in 5 minutes', async (_what, address, question, status) => {
    const answers = await untilRefused(300, () => question(address));
    expectTooMany(answers.find((answer) => answer.status === 429)!, 300, 5);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status, 429]));
    expect((await from('198.51.100.99', '/api/v1/instance')).status).toBe(200);
  });

  test('has 60 tries for tokens', async () => {
    const guess = json({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' });
    const answers = await untilRefused(60, () => from('198.51.100.10', '/oauth/token', guess));
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toEqual({ error: 'invalid_request', error_description: 'Too many requests' });
    expect(limitOf(refused)).toMatchObject({ limit: 60, remaining: 0 });
  });

  test('signs up five accounts in half an hour, tries included', async () => {
    const { body: client } = await from(
      '198.51.100.11',
      '/api/v1/apps',
      json({ client_name: 'A', redirect_uris: 'https://a.example/', scopes: 'write' }),
    );
    const grant = json({
      grant_type: 'client_credentials',
      client_id: client.client_id,
      client_secret: client.client_secret,
      scope: 'write',
    });
    const token = String((await from('198.51.100.11', '/oauth/token', grant)).body.access_token);
    const wish = json({ username: '', email: '', password: '', agreement: false });
    const headers = { ...(wish.headers as Record<string, string>), authorization: `Bearer ${token}` };
    const answers = await untilRefused(5, () => from('198.51.100.11', '/api/v1/accounts', { ...wish, headers }));
    expectTooMany(answers.find(({ status }) => status === 429)!, 5, 30);
    expect(answers[0]!.status).toBe(422);
  });
});

test('deleting statuses and taking reblogs back are counted together: 30 in half an hour', async () => {
  const { id } = (await ask(alice, 'POST', '/api/v1/statuses', { status: 'kept' })).body;
  let turn = 0;
  const answers = await untilRefused(30, () => {
    turn += 1;
    if (turn % 2 === 0) return ask(carol, 'POST', `/api/v1/statuses/${id}/unreblog`);
    return ask(carol, 'DELETE', `/api/v1/statuses/${id}`);
  });
  expectTooMany(answers.find(({ status }) => status === 429)!, 30, 30);
  const other = await ask(carol, 'GET', '/api/v1/timelines/home');
  expect([other.status, limitOf(other).limit]).toEqual([200, 300]);
});

test('what is no request to the API is not counted', async () => {
  const address = '203.0.113.50';
  const before = limitOf(await from(address, '/api/v1/instance'));
  const origin = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
  expect((await from(address, '/api/v1/timelines/home', { method: 'OPTIONS', headers: origin })).status).toBe(204);
  for (const path of ['/health', '/api/v1/streaming/health', '/api/v1/nothing']) await from(address, path);
  const after = limitOf(await from(address, '/api/v1/instance'));
  expect(after.reset === before.reset ? before.remaining - after.remaining : 1).toBe(1);
});
