import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { request, useTestBed } from './test-bed.ts';

const { host, network, atEnd } = useTestBed();

describe('names', () => {
  it('lead to the address that the resolver gives', async () => {
    const remote = await host((_request, response) => void response.end('{}'));
    const { fetcher, resolver } = network();
    resolver.set('away.example', ['127.0.0.1']);
    expect((await fetcher.get(request(`http://away.example:${remote.port}/`))).ok).toBe(true);
    expect(remote.requests[0]!.headers.host).toBe(`away.example:${remote.port}`);
  });

  it.each([
    ['loopback', ['127.0.0.1']],
    ['loopback of IPv6', ['::1']],
    ['loopback in IPv6 clothes', ['::ffff:127.0.0.1']],
    ['private and loopback', ['10.0.0.1', '127.0.0.1', 'fc00::1']],
  ])('that lead to %s are blocked in production', async (_name, addresses) => {
    const remote = await host((_request, response) => void response.end('secret'));
    const { fetcher, resolver } = network({ policy: { allowPrivate: false } });
    resolver.set('evil.example', addresses);
    const result = await fetcher.get(request(`http://evil.example:${remote.port}/`));
    expect(result).toMatchObject({ ok: false, kind: 'blocked' });
    expect(remote.requests).toHaveLength(0);
  });

  it('are checked at every connection, so that a name cannot change its address afterwards', async () => {
    const remote = await host((_request, response) => void response.writeHead(200, { connection: 'close' }).end('{}'));
    const { fetcher, resolver } = network();
    resolver.set('rebinding.example', ['127.0.0.1'], ['169.254.169.254']);
    expect((await fetcher.get(request(`http://rebinding.example:${remote.port}/1`))).ok).toBe(true);
    const second = await fetcher.get(request(`http://rebinding.example:${remote.port}/2`));
    expect(second).toMatchObject({ ok: false, kind: 'blocked' });
    expect(resolver.questions).toHaveLength(2);
  });

  it('skip forbidden addresses among good ones', async () => {
    const remote = await host((_request, response) => void response.end('{}'));
    const { fetcher, resolver } = network();
    resolver.set('mixed.example', ['169.254.169.254', '0.0.0.0', '127.0.0.1']);
    expect((await fetcher.get(request(`http://mixed.example:${remote.port}/`))).ok).toBe(true);
  });

  it('are tried by two addresses of a family and no more', async () => {
    const remote = await host((_request, response) => void response.end('{}'));
    const { fetcher, resolver } = network();
    resolver
      .set('third.example', ['127.0.0.2', '127.0.0.3', '127.0.0.1'])
      .set('second.example', ['127.0.0.2', '127.0.0.1']);
    expect((await fetcher.get(request(`http://third.example:${remote.port}/`))).ok).toBe(false);
    expect((await fetcher.get(request(`http://second.example:${remote.port}/`))).ok).toBe(true);
  });

  it.each([
    ['http://127.0.0.1', 'blocked'],
    ['http://[::1]', 'blocked'],
    ['http://2130706433', 'blocked'],
    ['http://0x7f.1', 'blocked'],
    ['http://[::ffff:127.0.0.1]', 'blocked'],
  ])('that are the address %s are blocked in production', async (origin, kind) => {
    const remote = await host((_request, response) => void response.end('secret'));
    const { fetcher } = network({ policy: { allowPrivate: false } });
    expect(await fetcher.get(request(`${origin}:${remote.port}/`))).toMatchObject({ ok: false, kind });
    expect(remote.requests).toHaveLength(0);
  });

  it('that do not exist are unreachable', async () => {
    const result = await network().fetcher.get(request('http://nowhere.example/'));
    expect(!result.ok && [result.kind, result.detail]).toEqual([
      'unreachable',
      'nowhere.example: nameUnknown: no such name: nowhere.example',
    ]);
  });
});

it('https to a host that speaks plain http fails as TLS', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => new Promise((resolve) => server.close(() => resolve())));
  const result = await network().fetcher.get(request(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  expect(!result.ok && result.detail).toContain('tlsFailed');
});
