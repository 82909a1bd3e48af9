import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/outbound/fetcher/deliver.ts';
import { digestHeader } from '../../../src/outbound/signatures/digest.ts';
import { examineRequest } from '../../../src/outbound/signatures/examine-request.ts';
import { signRequest } from '../../../src/outbound/signatures/sign-request.ts';
import { verifyRequest } from '../../../src/outbound/signatures/verify-request.ts';
import { until } from '../../support/until.ts';
import { alice, keyId } from '../signatures/requests.ts';
import { startRemoteHost } from './remote-host.ts';
import { useTestBed } from './test-bed.ts';

const { host, network, atEnd } = useTestBed();

/** A server of bare sockets: for what node:http would not do. */
async function socketHost(
  onSocket: (socket: Socket, count: number) => void,
): Promise<{ url: string; count(): number }> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    count += 1;
    onSocket(socket, count);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/inbox`, count: () => count };
}

const body = Buffer.from('{"type":"Create"}');
const accepted = 'HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n';

describe('a delivery', () => {
  it('arrives byte for byte, with a signature that holds', async () => {
    let received = Buffer.alloc(0);
    const remote = await host((request, response) => {
      request.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
      });
      request.on('end', () => response.writeHead(202).end());
    });
    const { connections, clock } = network();
    const url = `${remote.origin}/users/bob/inbox?x=%2f`;
    const headers = await signRequest({
      method: 'POST',
      url: new URL(url),
      dateMilliseconds: clock.milliseconds,
      digest: digestHeader(body),
      contentType: 'application/activity+json',
      keyId,
      privateKey: alice.privateKey,
    });
    expect(await deliver(connections, { url, body, headers })).toEqual({
      ok: true,
      status: 202,
      retryAfterMilliseconds: undefined,
    });
    expect(received.equals(body)).toBe(true);
    const [request] = remote.requests;
    const signed = {
      method: request!.method ?? '',
      origin: remote.origin,
      rawTarget: request!.url ?? '',
      headers: new Map(Object.entries(request!.headers).map(([name, value]) => [name, String(value)])),
      body: received,
    };
    expect(signed.headers.get('user-agent')).toContain('Murmuration');
    const examined = examineRequest(signed, { now: clock.milliseconds, ownHosts: new Set([remote.host]) });
    expect(examined.ok && verifyRequest(signed, examined.signature, alice.publicKey)).toEqual({ ok: true });
  });

  it('uses a warm connection again', async () => {
    const remote = await host((_request, response) => void response.writeHead(202).end('thanks'));
    const { connections } = network();
    for (let index = 0; index < 3; index += 1) await deliver(connections, { url: remote.origin, body, headers: {} });
    expect(new Set(remote.requests.map(({ socket }) => socket)).size).toBe(1);
  });

  it.each([
    [200, {}, undefined],
    [301, { location: 'http://127.0.0.1:1/' }, undefined],
    [401, {}, undefined],
    [410, { 'retry-after': '5' }, undefined],
    [429, { 'retry-after': '5' }, 5_000],
    [503, { 'retry-after': '99999999' }, 3_600_000],
    [503, {}, undefined],
  ])('answered with %i %o', async (status, headers, retryAfterMilliseconds) => {
    const remote = await host((_request, response) => void response.writeHead(status, headers).end());
    const result = await deliver(network().connections, { url: remote.origin, body, headers: {} });
    expect(result).toEqual({ ok: true, status, retryAfterMilliseconds });
    expect(remote.requests).toHaveLength(1);
  });

  it.each([
    ['a long answer', 'x'.repeat(10_000)],
    ['a short answer', 'x'],
  ])('with %s has its status', async (_name, answer) => {
    const remote = await host((_request, response) => void response.writeHead(202).end(answer));
    const { connections } = network({ limits: { discardedBytesMax: 1_000 } });
    expect(await deliver(connections, { url: remote.origin, body, headers: {} })).toMatchObject({
      ok: true,
      status: 202,
    });
  });

  it('is over when its answer drips for longer than the total time', async () => {
    const { connections, clock } = network();
    const remote = await host((_request, response) => {
      response.writeHead(202);
      const timer = setInterval(() => {
        clock.milliseconds += 10_001;
        response.write('x');
      }, 5);
      response.on('close', () => clearInterval(timer));
    });
    expect(await deliver(connections, { url: remote.origin, body, headers: {} })).toMatchObject({
      ok: true,
      status: 202,
    });
    await until(() => remote.requests[0]!.socket.destroyed);
  });

  it('reads past an informational answer', async () => {
    const remote = await socketHost((socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${accepted}`));
    });
    const result = await deliver(network().connections, { url: remote.url, body, headers: {} });
    expect(result).toMatchObject({ ok: true, status: 202 });
  });
});

describe('a delivery that fails', () => {
  it.each([
    ['http://127.0.0.1:6379/inbox', 'blocked'],
    ['ftp://away.example/inbox', 'blocked'],
    ['http://home.example/inbox', 'blocked'],
    ['http://169.254.169.254/inbox', 'addressBlocked'],
    ['http://metadata.example/inbox', 'addressBlocked'],
    ['http://nowhere.example/inbox', 'nameUnknown'],
    ['http://empty.example/inbox', 'nameUnknown'],
  ])('%s: %s', async (url, expected) => {
    const { connections, resolver } = network({ policy: { isRefusedHost: (name) => name === 'home.example' } });
    resolver.set('metadata.example', ['169.254.169.254']).set('empty.example', []);
    const result = await deliver(connections, { url, body, headers: {} });
    expect(result.ok ? 'ok' : result.kind === 'blocked' ? 'blocked' : result.fault).toBe(expected);
  });

  it('where nobody listens', async () => {
    const remote = await startRemoteHost(() => undefined);
    await remote.close();
    const result = await deliver(network().connections, { url: remote.origin, body, headers: {} });
    expect(result).toMatchObject({ ok: false, kind: 'unreachable', fault: 'connectFailed' });
  });

  it('where nobody answers', async () => {
    const remote = await host(() => undefined);
    const { connections } = network({ limits: { headersTimeoutMilliseconds: 100 } });
    const result = await deliver(connections, { url: remote.origin, body, headers: {} });
    expect(result).toMatchObject({ ok: false, kind: 'unreachable', fault: 'timedOut' });
  });

  it('where the certificate is nobody’s', async () => {
    const server = createTlsServer(selfSigned, (_request, response) => void response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => new Promise((resolve) => server.close(() => resolve())));
    const { connections, resolver } = network();
    resolver.set('away.example', ['127.0.0.1']);
    const url = `https://away.example:${(server.address() as AddressInfo).port}/inbox`;
    const result = await deliver(connections, { url, body, headers: {} });
    expect(result).toMatchObject({ ok: false, kind: 'unreachable', fault: 'tlsFailed' });
  });

  it('is sent once more over a new connection when the old one was closed meanwhile', async () => {
    const remote = await socketHost((socket, count) => {
      socket.on('data', () => {
        if (count === 1) socket.destroy();
        else socket.write(accepted);
      });
    });
    const result = await deliver(network().connections, { url: remote.url, body, headers: {} });
    expect(result).toMatchObject({ ok: true, status: 202 });
    expect(remote.count()).toBe(2);
  });

  it('after an informational answer, which does not count as one', async () => {
    const remote = await socketHost((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'));
    });
    const result = await deliver(network().connections, { url: remote.url, body, headers: {} });
    expect(result).toMatchObject({ ok: false, kind: 'unreachable', fault: 'connectionLost' });
  });

  it('but not a third time', async () => {
    const remote = await socketHost((socket) => socket.on('data', () => socket.destroy()));
    const result = await deliver(network().connections, { url: remote.url, body, headers: {} });
    expect(result).toMatchObject({ ok: false, kind: 'unreachable', fault: 'connectionLost' });
    expect(remote.count()).toBe(2);
  });

  it('when more hosts are connected than connections are allowed', async () => {
    const [one, other] = await Promise.all([
      host((_request, response) => void response.end()),
      host((_request, response) => void response.end()),
    ]);
    const { connections } = network({ limits: { originsMax: 1 } });
    await deliver(connections, { url: one.origin, body, headers: {} });
    const result = await deliver(connections, { url: other.origin, body, headers: {} });
    expect(result).toMatchObject({ ok: false, kind: 'unreachable', fault: 'busy' });
  });
});

/** For away.example, signed by itself; made for this test and of no use elsewhere. */
const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGPuPGxVY+D/3CuMs
NRwv9aWPbVbiG6G/nVpyRvHRy0KhRANCAARQUBN868S/s/y4LABWgMv5uMWshera
1RA2QejmxSDmuTLZbNC9+/AxN1MijsdTexNNoGNRaQDsTrl3uJ08SNzC
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnTCCAUSgAwIBAgIUbzCf6/oDGdGtpyNkzXIR27CsqsAwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMYXdheS5leGFtcGxlMCAXDTI2MTEyMTA4MjU0N1oYDzIxMjYx
MDI4MDgyNTQ3WjAXMRUwEwYDVQQDDAxhd2F5LmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAARQUBN868S/s/y4LABWgMv5uMWshera1RA2QejmxSDmuTLZ
bNC9+/AxN1MijsdTexNNoGNRaQDsTrl3uJ08SNzCo2wwajAdBgNVHQ4EFgQUhBQd
THweTaMXD774wUazOpv+JycwHwYDVR0jBBgwFoAUhBQdTHweTaMXD774wUazOpv+
JycwDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxhd2F5LmV4YW1wbGUwCgYI
KoZIzj0EAwIDRwAwRAIgFomEkAtZ17JGqXxzY3EswvDro4YVfuclJaCZ4jJ0TgQC
IFye/iXLYpQwMgwLq22BwwG1gUeK7dulgybd9okpCsEH
-----END CERTIFICATE-----
`,
};
