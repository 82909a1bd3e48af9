import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { request, useTestBed } from './test-bed.ts';

const { host, network } = useTestBed();

describe('redirects', () => {
  const redirecting = (hops: number): RequestListener => {
    return (incoming, response) => {
      const hop = Number(incoming.url?.slice(1));
      if (hop === hops) response.end('{}');
      else response.writeHead(301, { location: `/${hop + 1}` }).end();
    };
  };

  it.each([
    [3, true],
    [4, false],
  ])('%i in a row: followed %s', async (hops, followed) => {
    const remote = await host(redirecting(hops));
    const result = await network().fetcher.get(request(`${remote.origin}/0`));
    expect(result.ok).toBe(followed);
    expect(remote.requests).toHaveLength(4);
    expect(!result.ok && result.detail).toBe(followed ? false : 'too many redirects');
  });

  it.each([
    ['without a location', {}, 'invalid'],
    ['to nowhere', { location: 'http://' }, 'invalid'],
    ['to a file', { location: 'file:///etc/passwd' }, 'blocked'],
    ['with credentials', { location: 'http://a:b@127.0.0.1/' }, 'blocked'],
    ['to a service', { location: 'http://127.0.0.1:6379/' }, 'blocked'],
    ['to ourselves', { location: 'http://home.example/' }, 'blocked'],
    ['to the metadata service', { location: 'http://169.254.169.254/latest/' }, 'blocked'],
  ])('%s: refused', async (_name, headers, kind) => {
    const remote = await host((_request, response) => void response.writeHead(302, headers).end());
    const { fetcher } = network({ policy: { isRefusedHost: (name) => name === 'home.example' } });
    expect(await fetcher.get(request(remote.origin))).toMatchObject({ ok: false, kind });
  });

  it('from a public host to a private address: refused, and nothing is asked there', async () => {
    const secret = await host((_request, response) => void response.end('secret'));
    const open = await host((_request, response) => {
      response.writeHead(302, { location: `http://inside.example:${secret.port}/` }).end();
    });
    const { fetcher, resolver } = network();
    // 169.254.0.0/16 is refused even where private networks are allowed, as the loopback host of this test needs.
    resolver.set('outside.example', ['127.0.0.1']).set('inside.example', ['169.254.169.254']);
    const result = await fetcher.get(request(`http://outside.example:${open.port}/`));
    expect(result).toMatchObject({ ok: false, kind: 'blocked' });
    expect([open.requests.length, secret.requests.length]).toEqual([1, 0]);
  });
});
