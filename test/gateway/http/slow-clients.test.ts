/**
 * Clients that send a request, or read an answer, one byte a second: their connections end by the time limits of the HTTP
 * library, which cannot be set, and nothing is left of them.
 */
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { bytes, json } from '../../../src/gateway/http/answers.ts';
import { text } from '../../../src/gateway/http/parameter-types.ts';
import { endpointOver } from '../../../src/gateway/route.ts';
import { until } from '../../support/until.ts';
import { startServer } from './support.ts';

const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;

const write = endpointOver({
  method: 'POST',
  path: '/api/v1/write',
  authentication: 'optional',
  parameters: z.object({ a: text }),
  summary: 'Writes.',
  handler: () => json({}),
});

/** More than the sockets of both sides take without being read. */
const huge = Buffer.alloc(16 * 1024 * 1024, 'a');

const read = endpointOver({
  method: 'GET',
  path: '/api/v1/read',
  authentication: 'optional',
  summary: 'Much.',
  handler: () => bytes(huge, { contentType: 'text/plain' }),
});

const post = 'POST /api/v1/write HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

const senders: readonly [what: string, head: string, each: string][] = [
  ['a head', 'GET /api/v1/read HTTP/1.1\r\nHost: a\r\nUser-Agent: ', 'a'],
  ['a body of known length', `${post}Content-Length: 1000\r\n\r\n`, ' '],
  ['a body in chunks', `${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
];

// because the library takes ten seconds and more
test.skipIf(!isLong)(
  'clients of one byte a second are let go (only in the long suite: takes twelve seconds)',
  async () => {
    const { server, port, fetch } = startServer({ endpoints: [write, read] });
    const closed: string[] = [];
    const open = (name: string, head: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.on('close', () => void closed.push(name));
      socket.write(head);
      onTestFinished(() => void socket.destroy());
      return socket;
    };
    const sockets = senders.map(([name, head, each]) => ({ socket: open(name, head), each }));
    const reader = open('an answer', 'GET /api/v1/read HTTP/1.1\r\nHost: a\r\n\r\n');
    reader.on('readable', () => undefined);
    const second = setInterval(() => {
      for (const { socket, each } of sockets) if (socket.writable) socket.write(each);
      reader.read(1);
    }, 1_000);
    onTestFinished(() => clearInterval(second));
    await until(() => server.load.requests === 3 && server.largeAnswers.bytes > 0);
    expect((await fetch('/api/v1/write', { method: 'POST' })).status).toBe(200);
    await until(() => senders.every(([name]) => closed.includes(name)));
    await until(() => server.load.requests === 0);
    expect([server.load.bodyBytes, server.largeAnswers.bytes]).toEqual([0, 0]);
  },
);
