/**
 * Server-sent events in a client that reads as urllib3 does (every Mastodon.py bot): the last byte of a chunk is handed
 * over only when the line end behind the chunk has come, which is sent together with the next chunk.
 */
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

/** What such a client has been handed of a chunked body that came so far. */
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

async function openRawStream(path: string): Promise<{ socket: Socket; handed(): string }> {
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${server.host}\r\nAuthorization: Bearer ${alice.token}\r\n\r\n`);
  const handed = () => handedOver(received.slice(received.indexOf('\r\n\r\n') + 4));
  await until(() => handed().includes(':)'), { description: 'the stream to begin' });
  return { socket, handed };
}

test('an event is whole when it is sent, not when the next one is', async () => {
  const { socket, handed } = await openRawStream('/api/v1/streaming/user');
  const post = await server.fetch('/api/v1/statuses', { method: 'POST', token: alice.token, json: { status: 'now' } });
  expect(post.status).toBe(200);
  await until(() => /event: update\ndata: .*\n\n/.test(handed()), {
    description: 'the update with the blank line that ends it',
    deadlineMilliseconds: 3_000,
  });
  socket.destroy();
});
