/** Limits on the streams of one account and one address on a gateway. */
import { type IncomingMessage, request } from 'node:http';
import { WebSocket } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConnectionQuota } from '../../../src/gateway/streaming/connection-quota.ts';
import { streamLimits } from '../../../src/gateway/streaming/limits.ts';
import type { Connection } from '../../../src/gateway/streaming/subscriber.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { type User, Users } from '../../support/users.ts';

const { streamsPerAccountMax, streamsPerAddressMax } = streamLimits;

/** Adds so many connections, each of the account that is named. */
function fill(quota: ConnectionQuota, count: number, accountOf: (index: number) => bigint, ip: string): Connection[] {
  return Array.from({ length: count }, (_, index) => {
    const accountId = accountOf(index);
    const connection = { grant: { accountId }, address: quota.admit(accountId, ip) } as Connection;
    quota.add(connection);
    return connection;
  });
}

describe('the places of a gateway', () => {
  test('an account has so many, wherever it comes from, and gets back what it gives', () => {
    const quota = new ConnectionQuota(true);
    const [first] = fill(quota, streamsPerAccountMax, () => 1n, '192.0.2.1');
    expect(() => quota.admit(1n, '192.0.2.2')).toThrow('tooManyRequests');
    expect(quota.admit(2n, '192.0.2.2')).toBe('192.0.2.2');
    quota.remove(first!);
    fill(quota, 1, () => 1n, '192.0.2.2');
    expect(() => quota.admit(1n, '192.0.2.2')).toThrow('tooManyRequests');
  });

  test('an address has so many, whosever they are; an IPv6 network counts as one', () => {
    const quota = new ConnectionQuota(true);
    const [first] = fill(quota, streamsPerAddressMax, (index) => BigInt(index), '2001:db8::1');
    expect(() => quota.admit(-1n, '2001:db8::2')).toThrow('tooManyRequests');
    expect(quota.admit(-1n, '2001:db8:0:1::2')).toBe('2001:db8:0:1');
    quota.remove(first!);
    expect(quota.admit(-1n, '2001:db8::2')).toBe('2001:db8:0:0');
  });

  test('addresses do not count where nothing is limited by them', () => {
    const quota = new ConnectionQuota(false);
    fill(quota, streamsPerAddressMax, (index) => BigInt(index), '192.0.2.1');
    expect(quota.admit(-1n, '192.0.2.1')).toBeUndefined();
  });
});

describe('over a running server', () => {
  let server: RunningServer;
  let alice: User;
  let bob: User;

  beforeAll(async () => {
    server = await startTestServer({ environment: { MURMURATION_GATEWAYS: '1' } });
    const people = await Users.of(server);
    alice = await people.add('alice');
    bob = await people.add('bob');
  });

  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  async function openSocket({ token }: User): Promise<WebSocket> {
    const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/api/v1/streaming?stream=user`, token);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error('refused')));
    });
    return socket;
  }

  /** What an upgrade is answered with where it is refused. */
  async function refusal({ token }: User): Promise<{ status: number | undefined; body: string }> {
    const headers = {
      authorization: `Bearer ${token}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${server.origin}/api/v1/streaming?stream=user`, { headers }, resolve)
        .on('error', reject)
        .on('upgrade', () => reject(new Error('not refused')))
        .end();
    });
    let body = '';
    for await (const chunk of answer) body += String(chunk);
    return { status: answer.statusCode, body };
  }

  test('one stream too many is refused before it is opened, over both transports, until another ends', async () => {
    const sockets: WebSocket[] = [];
    while (sockets.length < streamsPerAccountMax) sockets.push(await openSocket(alice));
    const tooMany = { error: 'Too many requests' };
    const overWebSocket = await refusal(alice);
    expect([overWebSocket.status, JSON.parse(overWebSocket.body)]).toEqual([429, tooMany]);
    const overEvents = await server.fetch('/api/v1/streaming/user', { token: alice.token });
    expect([overEvents.status, await overEvents.json()]).toEqual([429, tooMany]);
    (await openSocket(bob)).close();
    sockets.pop()!.close();
    sockets.push(await until(() => openSocket(alice), { description: 'a place that was given back' }));
    for (const socket of sockets) socket.close();
  });
});
