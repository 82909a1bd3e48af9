import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { empty, json } from '../../../src/gateway/http/answers.ts';
import type { UserContext } from '../../../src/gateway/http/context.ts';
import { allocateCounters, CounterTable } from '../../../src/gateway/http/counter-table.ts';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { createRateLimitMemory, RateLimits, rateLimitClasses } from '../../../src/gateway/http/rate-limits.ts';
import { endpointOver, rawRoute } from '../../../src/gateway/route.ts';
import { addressLimitKey } from '../../../src/services/address-limit-key.ts';
import { aliceId, bearer, startServer, type TestServices } from './support.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 10, 21, 12);

class Clock {
  now = noon;
  readonly limits = new RateLimits(createRateLimitMemory(), () => this.now);
}

describe('counting', () => {
  test.each(
    Object.entries(rateLimitClasses),
  )('%s allows as many as declared, until its window ends', (name, declaration) => {
    const clock = new Clock();
    const take = () => clock.limits.take(name as keyof typeof rateLimitClasses, aliceId);
    for (let count = 1; count <= declaration.countMax; count += 1) expect(take()).toBe(declaration.countMax - count);
    expect(take()).toBe(-1);
    const end = Date.parse(clock.limits.resetText(name as keyof typeof rateLimitClasses));
    expect(end - noon).toBeLessThanOrEqual(declaration.windowMinutes * minute);
    clock.now = end - 1;
    expect(take()).toBe(-2);
    clock.now = end;
    expect(take()).toBe(declaration.countMax - 1);
  });

  test('keys and classes are apart', () => {
    const { limits } = new Clock();
    expect(limits.take('api', aliceId)).toBe(299);
    expect(limits.take('api', aliceId + 1n)).toBe(299);
    expect(limits.take('api', aliceId + (1n << 32n))).toBe(299);
    expect(limits.take('api', '203.0.113.7')).toBe(299);
    expect(limits.take('statusDeletion', aliceId)).toBe(29);
    expect(limits.take('api', aliceId)).toBe(298);
  });

  test('asking does not count', () => {
    const { limits } = new Clock();
    expect([limits.remaining('follows', aliceId), limits.remaining('follows', aliceId)]).toEqual([400, 400]);
    limits.take('follows', aliceId);
    expect(limits.remaining('follows', aliceId)).toBe(399);
  });

  test('the reset is a moment in ISO 8601', () => {
    const clock = new Clock();
    clock.now += 7 * minute;
    expect(clock.limits.resetText('api')).toBe('2026-11-21T12:10:00.000Z');
    expect(clock.limits.resetText('statusDeletion')).toBe('2026-11-21T12:30:00.000Z');
    expect(clock.limits.resetText('follows')).toBe('2026-11-22T00:00:00.000Z');
  });

  test('threads count together, and lose nothing', async () => {
    const memory = createRateLimitMemory();
    const worker = new Worker(new URL('./counting-thread.ts', import.meta.url), { workerData: { memory, now: noon } });
    await new Promise((resolve) => worker.once('message', resolve));
    const limits = new RateLimits(memory, () => noon);
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('go');
    for (let count = 0; count < 20_000; count += 1) limits.take('api', aliceId);
    await ended;
    expect(limits.remaining('api', aliceId)).toBe(300 - 40_000);
  });
});

describe('a full table', () => {
  const slots = 64;
  const now = 100;

  test('keeps counting, forgets small counts first, and takes over what is past', () => {
    const table = new CounterTable(allocateCounters(slots));
    for (let count = 0; count < 5; count += 1) table.add(3, 77, now, now + 1);
    for (let key = 1; key <= 10_000; key += 1) expect(table.add(key * 7, 1_000 + key, now, now + 1)).toBe(1);
    expect(table.read(3, 77, now + 1)).toBe(5);
    expect(table.add(3, 77, now, now + 1)).toBe(6);
    expect(table.add(3, 78, now + 1, now + 2)).toBe(1);
    expect(table.read(3, 77, now + 2)).toBe(0);
  });

  test('is searched over a few slots only', () => {
    const table = new CounterTable(allocateCounters(slots));
    for (let key = 1; key <= httpLimits.rateLimitProbes; key += 1) table.add(5, key, now, now + 1);
    expect(table.read(5, 1, now + 1)).toBe(1);
    table.add(5, 99, now, now + 1);
    const kept = Array.from({ length: httpLimits.rateLimitProbes }, (_, index) => table.read(5, index + 1, now + 1));
    expect(kept.filter((count) => count === 0)).toHaveLength(1);
    expect(table.read(5, 99, now + 1)).toBe(1);
  });

  test('counts to its end and no further', () => {
    const table = new CounterTable(allocateCounters(slots));
    let count = 0;
    for (let turn = 0; turn < 70_000; turn += 1) count = table.add(1, 1, now, now + 1);
    expect(count).toBe(65_535);
  });
});

describe('over HTTP', () => {
  const open = endpointOver({
    method: 'GET',
    path: '/api/v1/open',
    authentication: 'optional',
    summary: 'O.',
    handler: () => empty(),
  });
  const health = endpointOver({
    method: 'GET',
    path: '/health',
    authentication: 'optional',
    rateLimit: 'none',
    summary: 'H.',
    handler: () => empty(),
  });
  const remove = endpointOver({
    method: 'POST',
    path: '/api/v1/remove',
    authentication: 'user',
    rateLimit: 'statusDeletion',
    summary: 'R.',
    handler: () => empty(),
  });
  const follow = endpointOver({
    method: 'POST',
    path: '/api/v1/follow',
    authentication: 'user',
    summary: 'F.',
    handler: (context: UserContext<TestServices>) => {
      context.caller.limits.check('follows');
      context.caller.limits.count('follows');
      return json('followed');
    },
  });
  const signIn = rawRoute({ method: 'POST', path: '/auth/sign_in', rateLimit: 'signIn', handler: () => empty() });

  const start = (trustedProxyCount = 0) => {
    const clock = new Clock();
    const options = {
      endpoints: [open, health, remove, follow],
      rawRoutes: [signIn],
      rateLimits: clock.limits,
      trustedProxyCount,
    };
    return { clock, ...startServer(options) };
  };
  const shown = ({ status, headers }: Response) => [
    status,
    headers.get('x-ratelimit-limit'),
    headers.get('x-ratelimit-remaining'),
    headers.get('x-ratelimit-reset'),
  ];
  const reset = '2026-11-21T12:05:00.000Z';

  test('a user is counted by account, everybody else by address', async () => {
    const { fetch } = start();
    expect(shown(await fetch('/api/v1/open', bearer('alice')))).toEqual([200, '300', '299', reset]);
    expect(shown(await fetch('/api/v1/open', bearer('bob')))).toEqual([200, '300', '299', reset]);
    expect(shown(await fetch('/api/v1/open'))).toEqual([200, '300', '299', reset]);
    expect(shown(await fetch('/api/v1/open', bearer('application')))).toEqual([200, '300', '298', reset]);
    expect(shown(await fetch('/api/v1/open', bearer('mallory')))).toEqual([401, '300', '297', reset]);
    expect(shown(await fetch('/api/v1/open', bearer('alice')))).toEqual([200, '300', '298', reset]);
  });

  test('one too many is refused with the same headers, until the window ends', async () => {
    const { fetch, clock } = start();
    for (let count = 0; count < 300; count += 1) clock.limits.take('api', aliceId);
    const refused = await fetch('/api/v1/open', bearer('alice'));
    expect(shown(refused)).toEqual([429, '300', '0', reset]);
    expect(await refused.json()).toEqual({ error: 'Too many requests' });
    clock.now += 5 * minute;
    expect(shown(await fetch('/api/v1/open', bearer('alice')))).toEqual([
      200,
      '300',
      '299',
      '2026-11-21T12:10:00.000Z',
    ]);
  });

  test('the limit closest to exhaustion is shown', async () => {
    const { fetch, clock } = start();
    const post = { method: 'POST', ...bearer('alice') };
    expect(shown(await fetch('/api/v1/remove', post))).toEqual([200, '30', '29', '2026-11-21T12:30:00.000Z']);
    for (let count = 0; count < 290; count += 1) clock.limits.take('api', aliceId);
    expect(shown(await fetch('/api/v1/remove', post))).toEqual([200, '300', '8', reset]);
  });

  test('what counts successes is refused once they are used up, and not counted then', async () => {
    const { fetch, clock } = start();
    const post = { method: 'POST', ...bearer('alice') };
    for (let count = 0; count < 399; count += 1) clock.limits.take('follows', aliceId);
    expect(shown(await fetch('/api/v1/follow', post)).slice(0, 3)).toEqual([200, '400', '0']);
    expect(shown(await fetch('/api/v1/follow', post)).slice(0, 3)).toEqual([429, '400', '0']);
    expect(clock.limits.remaining('follows', aliceId)).toBe(0);
  });

  test('raw routes may have a limit', async () => {
    const { fetch } = start();
    expect(shown(await fetch('/auth/sign_in', { method: 'POST' })).slice(0, 3)).toEqual([200, '25', '24']);
  });

  test('clients behind a trusted proxy are told apart, by network for IPv6', async () => {
    const { fetch } = start(1);
    const from = async (address: string) =>
      shown(await fetch('/api/v1/open', { headers: { 'X-Forwarded-For': address } }))[2];
    expect(await from('198.51.100.7')).toBe('299');
    expect(await from('198.51.100.8')).toBe('299');
    expect(await from('2001:db8::1')).toBe('299');
    expect(await from('2001:db8:0:0:5::1')).toBe('298');
    expect(await from('2001:db8:0:1::1')).toBe('299');
  });

  test('what is exempt shows nothing, and so does everything when limits are off', async () => {
    expect(shown(await start().fetch('/health'))).toEqual([200, null, null, null]);
    const { fetch } = startServer({ endpoints: [open, follow] });
    expect(shown(await fetch('/api/v1/open'))).toEqual([200, null, null, null]);
    expect(shown(await fetch('/api/v1/follow', { method: 'POST', ...bearer('alice') }))[0]).toBe(200);
  });

  test('a preflight is not counted', async () => {
    const { fetch } = start();
    await fetch('/api/v1/open', { method: 'OPTIONS' });
    expect(shown(await fetch('/api/v1/open'))[2]).toBe('299');
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0DB8:0001::', '2001:db8:1:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
])('%s is limited as %s', (address, key) => {
  expect(addressLimitKey(address)).toBe(key);
});
