/** Server-sent events in clients with unusual readers. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import type { User } from '../../support/users.ts';

let server: RunningServer;
let alice: User;

beforeAll(async () => {
  server = await startTestServer();
  alice = await server.createUser('alice');
});

afterAll(() => server.stop());

/**
 * What a client that reads as urllib3 does (every Mastodon.py bot) has been handed of a chunked body that came so far: the
 * last byte of a chunk only when the line end behind the chunk has come, which is sent together with the next chunk.
 */
function handedOver(body: string): string {
  let text = '';
  let rest = body;
  for (;;) {
    const head = /^\r?\n?([0-9a-f]+)\r\n/i.exec(rest);
    if (head === null) return text;
    const length = Number.parseInt(head[1]!, 16);
    const chunk = rest.slice(head[0].length, head[0].length + length);
    rest = rest.slice(head[0].length + length);
    if (!rest.startsWith('\r\n')) return text + chunk.slice(0, length - 1);
    text += chunk;
  }
}

async function openRawStream(path: string, userAgent = 'requests'): Promise<{ socket: Socket; handed(): string }> {
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
  });
  const headers = [`Host: ${server.host}`, `Authorization: Bearer ${alice.token}`, `User-Agent: ${userAgent}`];
  socket.write(`GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  const handed = () => handedOver(received.slice(received.indexOf('\r\n\r\n') + 4));
  await until(() => handed().startsWith(':'), { description: 'the stream to begin' });
  return { socket, handed };
}

test('an event is complete as soon as it is sent, not only with the next one', async () => {
  const { socket, handed } = await openRawStream('/api/v1/streaming/user');
  const post = await server.fetch('/api/v1/statuses', { method: 'POST', token: alice.token, json: { status: 'now' } });
  expect(post.status).toBe(200);
  // In this order, because BitlBee takes an event for one only if it begins with its name.
  const update = await until(() => /\n(.*)\n(.*)\n(.*)\n\n(.*)/.exec(handed()), {
    description: 'the update with the blank line that ends it',
  });
  expect(update.slice(1)).toEqual([
    'event: update',
    expect.stringMatching(/^data: {.*now.*}$/),
    expect.stringMatching(/^id: [0-9.,-]+$/),
    expect.not.stringContaining('thump'),
  ]);
  socket.destroy();
});

/** It passes over what it is not sent by Mastodon: a third line, be it an id or a comment. */
test('mastodon-api is sent the two lines of each event, and nothing between them', async () => {
  const { socket, handed } = await openRawStream('/api/v1/streaming/user', 'node-mastodon-client');
  for (const status of ['one', 'two', 'three'])
    await server.fetch('/api/v1/statuses', { method: 'POST', token: alice.token, json: { status } });
  await until(() => handed().includes('three'), { description: 'the events' });
  const events = handed().replaceAll(':thump\n', '').split('\n\n');
  expect(events.slice(0, 2)).toEqual([
    expect.stringMatching(/^event: update\ndata: {.*one.*}$/),
    expect.stringMatching(/^event: update\ndata: {.*two.*}$/),
  ]);
  socket.destroy();
});
