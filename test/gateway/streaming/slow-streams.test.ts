/**
 * Streams over real sockets whose clients do not read: the data waiting for them is bounded, and other clients lose
 * nothing.
 */
import { connect, type Socket } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Grant } from '../../../src/gateway/http/grant.ts';
import { HttpServer } from '../../../src/gateway/http/server.ts';
import { streamLimits } from '../../../src/gateway/streaming/limits.ts';
import { serverSentEndpoints } from '../../../src/gateway/streaming/server-sent-events.ts';
import { serveWebSocketStreams } from '../../../src/gateway/streaming/websocket.ts';
import type { Services } from '../../../src/services/services.ts';
import { cachesOf } from '../../support/caches.ts';
import { only } from '../../support/only.ts';
import { until } from '../../support/until.ts';
import { HubBed } from './hub-bed.ts';

type Transport = 'WebSocket' | 'server-sent events';

/** Two slow streams fit, three do not. */
const bytesMax = 2.5 * streamLimits.backpressureBytesMax;
const payloadBytes = 128 * 1024;
const filler = 'x'.repeat(payloadBytes);
/** More than the sockets of both sides and the buffers of a stream take without being read. */
const eventCount = Math.ceil((8 * 1024 * 1024) / payloadBytes);

let bed: HubBed;
let port: number;
let reported: string[];
let waiting: { readonly bytes: number };

beforeEach(async () => {
  reported = [];
  const caches = Object.assign(cachesOf({ streamBuffers: bytesMax }), {
    measure: (name: string, cache: { readonly bytes: number }) => {
      if (name === 'streamBuffers') waiting = cache;
    },
  });
  const grant = only<Grant>('grant', {
    accountId: 7n,
    tokenId: 'token',
    scopes: new Set(['read']),
    dialect: 'mastodon',
    hasMoved: false,
  });
  const server = new HttpServer<Services>({
    services: only<Services>('services', {}),
    endpoints: serverSentEndpoints(() => bed.hub),
    rawRoutes: [],
    authenticate: () => grant,
    publicOrigin: 'https://social.example',
    trustedProxyCount: 0,
    rateLimits: undefined,
    log: ({ cause }) => void reported.push(String(cause)),
  });
  bed = new HubBed(1, { app: server.app, caches, report: ({ message }) => void reported.push(message) });
  serveWebSocketStreams({
    app: server.app,
    hub: bed.hub,
    authenticate: () => grant,
    isCompressing: false,
    trustedProxyCount: 0,
    upgraded: () => server.upgraded(),
  });
  port = server.listen('127.0.0.1', 0);
  onTestFinished(() => void server.close(0));
  await bed.begun();
});

class Client {
  readonly socket: Socket;
  isClosed = false;
  private received = '';

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
    });
    socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString('latin1').replace(/x{100,}/g, '');
    });
    onTestFinished(() => void socket.destroy());
  }

  /** The events it was sent: deletions by their number, others by name. */
  get events(): string[] {
    const event = /(?:"event":"|event: )(\w+)(?:","payload":"(\d+)x*"|\ndata: (\d+)x*\n)?/g;
    return [...this.received.matchAll(event)].map(([, name, ...numbers]) => numbers.find(Boolean) ?? name!);
  }

  get hasBegun(): boolean {
    return /HTTP\/1.1 (101|200)/.test(this.received);
  }
}

async function open(transport: Transport): Promise<Client> {
  const client = new Client(connect(port, '127.0.0.1'));
  const path = transport === 'WebSocket' ? '/api/v1/streaming?stream=public' : '/api/v1/streaming/public';
  const upgrade = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13'];
  const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`;
  const headers = ['Host: a', 'Authorization: Bearer token', ...(transport === 'WebSocket' ? [...upgrade, key] : [])];
  client.socket.write(`GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  await until(() => client.hasBegun);
  return client;
}

function openAll(transports: readonly Transport[]): Promise<Client[]> {
  return Promise.all(transports.map(open));
}

async function openSlow(transports: readonly Transport[]): Promise<Client[]> {
  const clients = await openAll(transports);
  for (const { socket } of clients) socket.pause();
  return clients;
}

/** A deletion, whose payload is the bare id: a long one. */
function happenOnce(number: number): void {
  bed.happen(0, { toString: () => number + filler } as unknown as bigint);
}

/** Events, each of which those who read have before the next comes. Returns the most that waited for the others. */
async function happen(readers: readonly Client[]): Promise<number> {
  let most = 0;
  for (let number = 1; number <= eventCount; number += 1) {
    happenOnce(number);
    await until(() => readers.every(({ events }) => events.at(-1) === String(number)));
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, waiting.bytes);
    // All have this channel, and no other.
    expect(bed.hub.waitingBytes().get('public') ?? 0).toBe(waiting.bytes);
  }
  return most;
}

test.each<Transport>([
  'WebSocket',
  'server-sent events',
])('%s: so much waits for slow streams as may, then those with the most are closed', async (transport) => {
  const slow = await openSlow(Array(4).fill(transport));
  const most = await happen([]);
  expect(most).toBeGreaterThan(streamLimits.backpressureBytesMax);
  expect(most).toBeLessThanOrEqual(1.25 * bytesMax);
  // How much the sockets of both sides take decides how many have to go.
  const leftCount = bed.hub.connectionCount;
  expect([1, 2, 3]).toContain(leftCount);
  expect(reported.join()).toMatch(/^closed \d slow streams: \d+ bytes waited/);
  // Those that are left have a gap where they lost something, and go on.
  for (const { socket } of slow) socket.resume();
  await until(() => slow.filter(({ isClosed }) => !isClosed).length === leftCount);
  const left = slow.filter(({ isClosed }) => !isClosed);
  const isThrough = ({ events }: Client) => ['gap', String(eventCount)].includes(events.at(-1)!);
  await until(() => left.every(isThrough) && waiting.bytes === 0);
  happenOnce(999);
  await until(() => left.every(({ events }) => events.at(-1) === '999'));
});

test('whoever reads beside slow ones loses nothing', async () => {
  const quick = await openAll(['WebSocket', 'server-sent events']);
  await openSlow(['WebSocket', 'server-sent events', 'WebSocket', 'server-sent events']);
  expect(await happen(quick)).toBeLessThanOrEqual(1.25 * bytesMax);
  expect(reported.join()).toMatch(/^closed \d slow streams: \d+ bytes waited/);
  const all = Array.from({ length: eventCount }, (_, index) => String(index + 1));
  for (const client of quick) expect([client.events, client.isClosed]).toEqual([all, false]);
});
