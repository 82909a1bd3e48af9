import type { RequestListener, ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fetcherLimits } from '../../../src/outbound/fetcher/limits.ts';
import { examineRequest } from '../../../src/outbound/signatures/examine-request.ts';
import { verifyRequest } from '../../../src/outbound/signatures/verify-request.ts';
import { until } from '../../support/until.ts';
import { alice } from '../signatures/requests.ts';
import { request, signer, useTestBed } from './test-bed.ts';

const { host, network, atEnd } = useTestBed();

describe('a GET', () => {
  it('brings body, type and final URL, and says who asks', async () => {
    const remote = await host((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
    const result = await network().fetcher.get(request(`${remote.origin}/a?b=%2f#c`));
    expect(result).toMatchObject({ ok: true, status: 200, contentType: 'application/json', cut: false });
    expect(result.ok && [result.url, result.body.toString()]).toEqual([`${remote.origin}/a?b=%2f`, '{}']);
    expect(remote.requests[0]).toMatchObject({ method: 'GET', url: '/a?b=%2f', httpVersion: '1.1' });
    expect(remote.requests[0]!.headers).toMatchObject({
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'Murmuration/test (+https://home.example/)',
      host: remote.host,
    });
    expect(remote.requests[0]!.headers.signature).toBeUndefined();
  });

  it('is signed for every hop', async () => {
    const { fetcher, clock } = network();
    const second = await host((_request, response) => void response.end('here'));
    const first = await host((_request, response) => {
      response.writeHead(302, { location: `${second.origin}/there?page=2` }).end();
    });
    const result = await fetcher.get(request(`${first.origin}/here`, { signer }));
    expect(result.ok && result.url).toBe(`${second.origin}/there?page=2`);
    for (const remote of [first, second]) {
      const { method = '', url = '', headers } = remote.requests[0]!;
      const signed = {
        method,
        origin: remote.origin,
        rawTarget: url,
        headers: new Map(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        body: undefined,
      };
      const examined = examineRequest(signed, { now: clock.milliseconds, ownHosts: new Set([remote.host]) });
      expect(examined.ok && verifyRequest(signed, examined.signature, alice.publicKey)).toEqual({ ok: true });
    }
  });

  it('signs once more without the query where the full target is answered with 401', async () => {
    const remote = await host((_request, response) => {
      response.statusCode = remote.requests.length === 1 ? 401 : 200;
      response.end('{}');
    });
    const result = await network().fetcher.get(request(`${remote.origin}/outbox?page=1`, { signer }));
    expect(result.ok).toBe(true);
    expect(remote.requests.map(({ url }) => url)).toEqual(['/outbox?page=1', '/outbox?page=1']);
    expect(remote.requests[0]!.headers.signature).not.toBe(remote.requests[1]!.headers.signature);
  });

  it('that many ask for at once is made once', async () => {
    const remote = await host((_request, response) => void response.end('{}'));
    const { fetcher } = network();
    const results = await Promise.all(Array.from({ length: 20 }, () => fetcher.get(request(`${remote.origin}/a`))));
    expect(remote.requests).toHaveLength(1);
    expect(new Set(results).size).toBe(1);
    await fetcher.get(request(`${remote.origin}/a`));
    expect(remote.requests).toHaveLength(2);
  });

  it('takes turns at a host', async () => {
    const held: ServerResponse[] = [];
    const remote = await host((_request, response) => void held.push(response));
    const { fetcher } = network();
    const urls = Array.from({ length: 6 }, (_, index) => `${remote.origin}/${index}`);
    const results = Promise.all(urls.map((url) => fetcher.get(request(url))));
    for (const asked of [2, 4, 6]) {
      await until(() => held.length === 2);
      expect(remote.requests).toHaveLength(asked);
      for (const response of held.splice(0)) response.end('{}');
    }
    expect((await results).every(({ ok }) => ok)).toBe(true);
    expect(new Set(remote.requests.map(({ socket }) => socket)).size).toBe(2);
  });

  it('is refused where too many wait, and where too many run', async () => {
    const remote = await host((_request, response) => setImmediate(() => response.end('{}')));
    const { fetcher } = network({ limits: { getsPerHostMax: 1, getsWaitingPerHostMax: 1, getsMax: 3 } });
    const kinds = await Promise.all(
      ['/1', '/2', '/3', '/4'].map(async (path) => {
        const result = await fetcher.get(request(remote.origin + path));
        return result.ok ? 'ok' : result.kind;
      }),
    );
    expect(kinds).toEqual(['ok', 'ok', 'busy', 'busy']);
  });
});

describe('bounds of an answer', () => {
  const { totalTimeoutMilliseconds } = fetcherLimits;

  /** A host with a connection, over which requests go at once: on a busy machine it would not be there in time. */
  async function impatient() {
    const remote = await host((_request, response) => void response.end('{}'));
    const its = network({ limits: { connectionsPerOriginMax: 1 } });
    expect((await its.fetcher.get(request(`${remote.origin}/first`))).ok).toBe(true);
    Object.assign(its.connections.limits, { totalTimeoutMilliseconds: 150 });
    return { remote, ...its };
  }

  const text = 'x'.repeat(1_000);
  const packed: [string, (data: string) => Buffer][] = [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ];

  it.each(packed)('a body in %s is unpacked', async (encoding, pack) => {
    const remote = await host((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(pack(text));
    });
    const result = await network().fetcher.get(request(remote.origin));
    expect(result.ok && result.body.toString()).toBe(text);
  });

  it.each(packed)('a bomb in %s is not', async (encoding, pack) => {
    const remote = await host((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(pack('x'.repeat(500_000)));
    });
    const result = await network().fetcher.get(request(remote.origin));
    expect(result).toMatchObject({ ok: false, kind: 'invalid', detail: 'the body is too large' });
  });

  it.each([
    ['declared length', (): RequestListener => (_request, response) => void response.end('x'.repeat(1_001))],
    [
      'endless body',
      (): RequestListener => (_request, response) => {
        const write = () => {
          while (!response.destroyed && response.write('x'.repeat(500)));
        };
        response.on('drain', write);
        write();
      },
    ],
  ])('an oversized one, %s, is invalid or cut as the caller wants', async (_name, listener) => {
    const remote = await host(listener());
    const { fetcher } = network();
    expect(await fetcher.get(request(`${remote.origin}/a`))).toMatchObject({ ok: false, kind: 'invalid' });
    const cut = await fetcher.get(request(`${remote.origin}/b`, { mayCut: true }));
    expect(cut.ok && [cut.body.length, cut.cut]).toEqual([1_000, true]);
  });

  it('a packed body is cut after unpacking', async () => {
    const remote = await host((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(500_000)));
    });
    const cut = await network().fetcher.get(request(remote.origin, { mayCut: true }));
    expect(cut.ok && [cut.body.toString(), cut.cut]).toEqual([text, true]);
  });

  it.each([
    ['zstd', Buffer.from('x')],
    ['gzip, gzip', gzipSync(gzipSync(text))],
    ['gzip', Buffer.from('this is not gzip')],
    ['gzip', gzipSync(text).subarray(0, 20)],
  ])('an encoding %s that cannot be undone is invalid', async (encoding, bytes) => {
    const remote = await host((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
    });
    expect(await network().fetcher.get(request(remote.origin))).toMatchObject({ ok: false, kind: 'invalid' });
  });

  it.each([
    ['silent', (): RequestListener => () => undefined],
    ['stopping', (): RequestListener => (_request, response) => void response.write('{')],
    [
      'dripping',
      (): RequestListener => (_request, response) => {
        const timer = setInterval(() => response.write('x'), 10);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('a %s host is left after the total time', async (_name, listener) => {
    const { remote, fetcher } = await impatient();
    remote.answer(listener());
    const result = await fetcher.get(request(remote.origin));
    expect(result).toMatchObject({ ok: false, kind: 'unreachable' });
    expect(!result.ok && result.detail).toContain('timedOut');
    await until(() => remote.requests[1]!.socket.destroyed, { description: 'the connection is given up' });
  });

  it('a request that was given up before it had a connection is never sent', async () => {
    const { remote, fetcher, connections, clock } = await impatient();
    remote.answer(() => undefined);
    await Promise.all(['/1', '/2'].map((path) => fetcher.get(request(remote.origin + path))));
    remote.answer((_request, response) => void response.end('{}'));
    clock.milliseconds += 3_600_000;
    Object.assign(connections.limits, { totalTimeoutMilliseconds });
    expect((await fetcher.get(request(`${remote.origin}/3`))).ok).toBe(true);
    expect(remote.requests.slice(1).map(({ url }) => url)).toEqual(['/1', '/3']);
  });

  it('a repeated header does no harm', async () => {
    const remote = await host((_request, response) => {
      response.setHeader('content-type', ['text/html', 'application/json']);
      response.setHeader('retry-after', ['1', '2']);
      response.end('{}');
    });
    const result = await network().fetcher.get(request(remote.origin));
    expect(result.ok && result.contentType).toBe('text/html, application/json');
  });

  it('a type that was not asked for is invalid', async () => {
    const remote = await host((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
    });
    const isWantedType = (type: string) => type === 'application/json';
    const result = await network().fetcher.get(request(remote.origin, { isWantedType }));
    expect(result).toMatchObject({ ok: false, kind: 'invalid', detail: 'unwanted content type "text/html"' });
  });

  it('what is not HTTP is unreachable', async () => {
    const server = createTcpServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.6\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => new Promise((resolve) => server.close(() => resolve())));
    const result = await network().fetcher.get(request(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
    expect(!result.ok && result.detail).toContain('protocolViolation');
  });
});

it('closing ends running requests, and blames no host for that', async () => {
  const remote = await host(() => undefined);
  const { fetcher, connections } = network();
  const running = fetcher.get(request(remote.origin));
  await until(() => remote.requests.length === 1);
  await connections.close();
  expect(await running).toMatchObject({ ok: false, kind: 'busy' });
});
