import { describe, expect, it } from 'vitest';
import { request, signer, useTestBed } from './test-bed.ts';

const { host, network } = useTestBed();

describe('what is remembered of failures', () => {
  const minute = 60_000;
  const day = 24 * 60 * minute;

  it.each([
    [404, 'notFound', day],
    [410, 'gone', day],
    [401, 'refused', minute],
    [403, 'refused', minute],
    [500, 'unreachable', minute],
    [204 + 100, 'invalid', minute],
  ])('a %i: %s', async (status, kind, wait) => {
    const remote = await host((_request, response) => void response.writeHead(status).end());
    const { fetcher, clock } = network();
    const ask = () => fetcher.get(request(`${remote.origin}/a`));
    expect(await ask()).toMatchObject({ ok: false, kind, status, retryAfterMilliseconds: wait });
    clock.milliseconds += wait - 1;
    expect(await ask()).toMatchObject({ ok: false, kind, status, retryAfterMilliseconds: 1 });
    expect(remote.requests).toHaveLength(1);
    clock.milliseconds += 1;
    await ask();
    expect(remote.requests).toHaveLength(2);
    // Neither another URL of the host nor another signer is touched.
    await fetcher.get(request(`${remote.origin}/b`));
    await fetcher.get(request(`${remote.origin}/a`, { signer }));
    expect(remote.requests).toHaveLength(4);
  });

  it.each([
    ['back', -day],
    ['ahead', day],
  ])('lasts as long though somebody sets the clock %s', async (_where, milliseconds) => {
    const remote = await host((_request, response) => void response.writeHead(500).end());
    const { fetcher, clock } = network();
    const ask = () => fetcher.get(request(`${remote.origin}/a`));
    await ask();
    clock.set(milliseconds);
    await ask();
    expect(remote.requests).toHaveLength(1);
    clock.milliseconds += minute;
    await ask();
    expect(remote.requests).toHaveLength(2);
  });

  it('does not stop a person who asks again', async () => {
    const remote = await host((_request, response) => void response.writeHead(404).end());
    const { fetcher } = network();
    await fetcher.get(request(remote.origin));
    remote.answer((_request, response) => void response.end('{}'));
    expect((await fetcher.get(request(remote.origin))).ok).toBe(false);
    expect((await fetcher.get(request(remote.origin, { fresh: true }))).ok).toBe(true);
    expect((await fetcher.get(request(remote.origin))).ok).toBe(true);
  });

  it('a dead host: one minute, doubling to thirty, whatever the URL', async () => {
    const { fetcher, clock, resolver } = network();
    const waits: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const results = await Promise.all(
        ['/a', '/b', '/c'].map((path) => fetcher.get(request(`http://dead.example${path}`, { fresh: true }))),
      );
      const wait = results[0]!.ok ? undefined : results[0]!.retryAfterMilliseconds;
      waits.push(wait === undefined ? undefined : wait / minute);
      clock.milliseconds += wait ?? 0;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);
    // Two run side by side, the third finds what they remembered.
    expect(resolver.questions).toHaveLength(14);
  });

  it.each([
    ['a dead host', 'http://dead.example/', 10],
    ['an address that is refused', 403, 10],
    ['what is gone', 410, 1],
    ['a host that asks for a pause', 503, 1],
  ])('%s is asked again by whoever is asked by it, once a minute', async (_what, answer, attempts) => {
    const { fetcher, clock, resolver } = network();
    const remote = await host((_request, response) => {
      response.writeHead(Number(answer), answer === 503 ? { 'retry-after': '3600' } : {}).end();
    });
    const url = typeof answer === 'string' ? answer : remote.origin;
    const asked = () => (typeof answer === 'string' ? resolver.questions.length : remote.requests.length);
    for (let second = 0; second < 600; second += 10) {
      await fetcher.get(request(url, { patienceMilliseconds: minute }));
      clock.milliseconds += 10_000;
    }
    expect(asked()).toBe(attempts);
    // For everybody else it is remembered for as long as ever.
    await fetcher.get(request(url));
    expect(asked()).toBe(attempts);
  });

  it('a dead host that lives again is forgotten', async () => {
    const { fetcher, clock, resolver } = network();
    const remote = await host((_request, response) => void response.end('{}'));
    const url = `http://away.example:${remote.port}/`;
    await fetcher.get(request(url));
    clock.milliseconds += minute;
    resolver.set('away.example', ['127.0.0.1']);
    expect((await fetcher.get(request(url))).ok).toBe(true);
  });

  it.each([
    [429, { 'retry-after': '7' }, 7_000],
    [503, { 'retry-after': '7' }, 7_000],
    [429, {}, minute],
    [503, { 'retry-after': '999999' }, 60 * minute],
  ])('a %i with %o pauses the whole host', async (status, headers, wait) => {
    const remote = await host((_request, response) => void response.writeHead(status, headers).end());
    const { fetcher, clock } = network();
    const throttled = { ok: false, kind: 'throttled', status, retryAfterMilliseconds: wait };
    expect(await fetcher.get(request(`${remote.origin}/a`))).toMatchObject(throttled);
    expect(await fetcher.get(request(`${remote.origin}/b`, { fresh: true }))).toMatchObject(throttled);
    expect(remote.requests).toHaveLength(1);
    clock.milliseconds += wait;
    remote.answer((_request, response) => void response.end('{}'));
    expect((await fetcher.get(request(`${remote.origin}/b`))).ok).toBe(true);
  });

  it('is bounded', async () => {
    const remote = await host((_request, response) => void response.writeHead(404).end());
    // Room for two of them.
    const { fetcher } = network({ failedFetchBytes: 2 * 600 });
    for (const path of ['/1', '/2', '/3', '/3', '/1']) await fetcher.get(request(remote.origin + path));
    expect(remote.requests.map(({ url }) => url)).toEqual(['/1', '/2', '/3', '/1']);
  });
});
