/** The life of a server: clients that disconnect, streams, sockets, shared ports, closing. */
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Answer, json, stream } from '../../../src/gateway/http/answers.ts';
import { text } from '../../../src/gateway/http/parameter-types.ts';
import { type Endpoint, endpointOver } from '../../../src/gateway/route.ts';
import { TimeSlices } from '../../../src/services/time-slices.ts';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { bearer, exchangeBytes, requestText, startServer, type TestServices } from './support.ts';

/** Not awaited to the end: what is still being handled would be cut off, and counted. */
const farMilliseconds = 60_000;

const write = endpointOver({
  method: 'POST',
  path: '/api/v1/write',
  authentication: 'optional',
  parameters: z.object({ a: text }),
  summary: 'Writes.',
  handler: (_context, { a }) => json({ length: a?.length ?? 0 }),
});

/** An endpoint whose answer the test gives. */
function pending(): { endpoint: Endpoint<unknown>; calls: number; answer(): void } {
  const waiting: ((answer: Answer) => void)[] = [];
  const it = {
    calls: 0,
    answer: () => {
      for (const resolve of waiting.splice(0)) resolve(json('late'));
    },
    endpoint: endpointOver({
      method: 'GET',
      path: '/api/v1/pending',
      authentication: 'optional',
      summary: 'Waits.',
      handler: () => {
        it.calls += 1;
        return new Promise<Answer>((resolve) => waiting.push(resolve));
      },
    }),
  };
  return it;
}

describe('clients that leave', () => {
  test('before the answer', async () => {
    const slow = pending();
    const { port, fetch, logged } = startServer({ endpoints: [slow.endpoint] });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /api/v1/pending HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => slow.calls === 1);
    socket.destroy();
    const other = fetch('/api/v1/pending');
    await until(() => slow.calls === 2);
    slow.answer();
    expect(await (await other).json()).toBe('late');
    expect(logged).toEqual([]);
  });

  test('before the last slice of their answer, which is not made then', async () => {
    const slices = new TimeSlices();
    let made = 0;
    let isEnded = false;
    function* steps(): Generator<undefined, Answer> {
      try {
        for (;;) {
          made += 1;
          yield;
        }
      } finally {
        isEnded = true;
      }
    }
    const long = endpointOver({
      method: 'GET',
      path: '/api/v1/long',
      authentication: 'optional',
      summary: 'Much work.',
      handler: ({ request }) => slices.run(steps(), request),
    });
    const { port, server, logged } = startServer({ endpoints: [long] });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /api/v1/long HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => made > 3);
    socket.destroy();
    await until(() => isEnded);
    expect([server.load.requests, logged]).toEqual([0, []]);
  });

  test('in the middle of a body', async () => {
    const { port, fetch, server } = startServer({ endpoints: [write] });
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /api/v1/write HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a"',
    );
    expect((await fetch('/api/v1/write', { method: 'POST' })).status).toBe(200);
    socket.destroy();
    expect((await fetch('/api/v1/write', { method: 'POST' })).status).toBe(200);
    expect(await server.close(farMilliseconds)).toBe(0);
  });
});

describe('closing', () => {
  test('lets a request in flight end, then refuses connections', async () => {
    const slow = pending();
    const { fetch, server } = startServer({ endpoints: [slow.endpoint] });
    const asked = fetch('/api/v1/pending');
    await until(() => slow.calls === 1);
    const closed = server.close(farMilliseconds);
    await expect(fetch('/api/v1/pending')).rejects.toThrow();
    slow.answer();
    expect(await (await asked).json()).toBe('late');
    expect(await closed).toBe(0);
  });

  test('does not wait for a body that is not complete, but for what else is being handled', async () => {
    const slow = pending();
    const { port, fetch, server } = startServer({ endpoints: [slow.endpoint, write] });
    const half = exchangeBytes(
      port,
      'POST /api/v1/write HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a"',
    );
    const left = connect(port, '127.0.0.1');
    left.write(
      'POST /api/v1/write HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n',
    );
    const asked = fetch('/api/v1/pending');
    await until(() => slow.calls === 1);
    const closed = server.close(farMilliseconds);
    left.destroy();
    slow.answer();
    expect(await (await asked).json()).toBe('late');
    expect(await closed).toBe(0);
    expect(await half).toBe('');
  });

  test('cuts off what is not done by the deadline', async () => {
    const slow = pending();
    const { fetch, server } = startServer({ endpoints: [slow.endpoint] });
    const asked = expect(fetch('/api/v1/pending')).rejects.toThrow();
    await until(() => slow.calls === 1);
    expect(await server.close(20)).toBe(1);
    await asked;
    slow.answer();
  });

  test('makes it safe for a thread to end', async () => {
    const worker = new Worker(new URL('./server-thread.ts', import.meta.url));
    const port = await new Promise<number>((resolve) => worker.once('message', resolve));
    expect(await (await fetch(`http://127.0.0.1:${port}/api/v1/thread`)).json()).toBe('from a thread');
    const ended = new Promise<number>((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    expect(await ended).toBe(0);
  });
});

test('two servers share a port', async () => {
  const served = new Set<string>();
  const named = (name: string) =>
    startServer({
      endpoints: [
        endpointOver({
          method: 'GET',
          path: '/api/v1/name',
          authentication: 'optional',
          summary: 'N.',
          handler: () => json(name),
        }),
      ],
    });
  const port = await freePort();
  for (const { server } of [named('one'), named('other')]) expect(server.listen('127.0.0.1', port)).toBe(port);
  await until(async () => {
    served.add((await exchangeBytes(port, requestText('GET /api/v1/name'))).split('\r\n\r\n')[1]!);
    return served.size === 2;
  });
  expect([...served].sort()).toEqual(['"one"', '"other"']);
});

test('a port that cannot be had is an error', () => {
  const { server } = startServer({});
  expect(() => server.listen('203.0.113.1', 1)).toThrow('Cannot listen on 203.0.113.1, port 1');
});

describe('streamed answers', () => {
  interface Room {
    write?: (chunk: string) => boolean;
    end?: () => void;
    left: number;
  }
  const streaming = (room: Room, fails = false) =>
    startServer({
      endpoints: [
        endpointOver({
          method: 'GET',
          path: '/api/v1/streaming/user',
          authentication: 'user',
          summary: 'Events.',
          handler: () =>
            stream({
              contentType: 'text/event-stream',
              open: (sink) => {
                if (fails) throw new TypeError('no room');
                room.write = (chunk) => sink.write(chunk);
                room.end = () => sink.end();
                sink.write(':hello\n\n');
                return () => {
                  room.left += 1;
                };
              },
            }),
        }),
      ],
    });

  test('arrive piece by piece, until the end', async () => {
    const room: Room = { left: 0 };
    const answer = await streaming(room).fetch('/api/v1/streaming/user', bearer('slow-alice'));
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe(':hello\n\n');
    expect(room.write?.('data: 1\n\n')).toBe(true);
    expect((await reader.read()).value).toBe('data: 1\n\n');
    room.end?.();
    expect((await reader.read()).done).toBe(true);
    expect([room.left, room.write?.('data: 2\n\n')]).toEqual([1, false]);
  });

  test('are cleaned up when the client leaves, and do not hold up closing', async () => {
    const room: Room = { left: 0 };
    const { fetch, server } = streaming(room);
    const leaving = new AbortController();
    await fetch('/api/v1/streaming/user', { ...bearer('alice'), signal: leaving.signal });
    leaving.abort();
    await until(() => room.left === 1);
    const staying = await fetch('/api/v1/streaming/user', bearer('alice'));
    expect(await server.close(farMilliseconds)).toBe(0);
    await expect(staying.text()).rejects.toThrow();
    expect(room.left).toBe(2);
  });

  test('that cannot begin end, and the cause is in the log', async () => {
    const { fetch, logged } = streaming({ left: 0 }, true);
    expect(await (await fetch('/api/v1/streaming/user', bearer('alice'))).text()).toBe('');
    expect(logged).toMatchObject([{ level: 'error', cause: new TypeError('no room') }]);
  });

  test('of HEAD are not opened', async () => {
    const room: Room = { left: 0 };
    const answer = await streaming(room).fetch('/api/v1/streaming/user', { method: 'HEAD', ...bearer('alice') });
    expect([answer.status, room.write]).toEqual([200, undefined]);
  });
});

test('a WebSocket of the native app wins over the routes, and plain requests still reach them', async () => {
  const { server, port, fetch } = startServer({
    endpoints: [
      endpointOver<TestServices, 'optional'>({
        method: 'GET',
        path: '/api/v1/streaming',
        authentication: 'optional',
        summary: 'S.',
        handler: () => json('plain'),
      }),
    ],
  });
  server.app.ws('/api/v1/streaming', {
    message: (socket, message) => {
      socket.send(message);
    },
  });
  expect(await (await fetch('/api/v1/streaming')).json()).toBe('plain');
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/streaming`);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const echoed = new Promise((resolve) => socket.addEventListener('message', ({ data }) => resolve(data)));
  socket.send('hello');
  expect(await echoed).toBe('hello');
  socket.close();
});

test('connections are counted until they end, or are WebSockets', async () => {
  const { server, port } = startServer({ endpoints: [write] });
  server.app.ws('/socket', { open: () => server.upgraded() });
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };
  const countIs = (count: number) => until(() => server.load.connections === count);
  const [first, second] = [await open(), await open()];
  await countIs(2);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  await countIs(2);
  first.end();
  await countIs(1);
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
  socket.close();
  await closed;
  second.destroy();
  await countIs(0);
});
