/** An overloaded server refuses changes before reading them, and continues to serve reads. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { json } from '../../../src/gateway/http/answers.ts';
import { endpointOver, rawRoute } from '../../../src/gateway/route.ts';
import { Failure } from '../../../src/runtime/errors.ts';
import { until } from '../../support/until.ts';
import { startServer } from './support.ts';

const path = '/api/v1/things';
let handled = 0;

function handler() {
  handled += 1;
  return json({});
}

const endpoints = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
  endpointOver({ method, path, authentication: 'optional', summary: 'Does things.', handler }),
);
const rawRoutes = [rawRoute({ method: 'POST', path: '/inbox', handler })];

test.each([
  ['GET', path, 200, null],
  ['HEAD', path, 200, null],
  ['POST', path, 503, '2'],
  ['PUT', path, 503, '2'],
  ['PATCH', path, 503, '2'],
  ['DELETE', path, 503, '2'],
  ['POST', '/inbox', 503, '2'],
])('%s %s is %i, to be tried again after %s', async (method, asked, status, after) => {
  handled = 0;
  const server = startServer({ endpoints, rawRoutes, waitMilliseconds: () => 60_000 });
  const body = method === 'GET' || method === 'HEAD' ? null : JSON.stringify({ text: 'x'.repeat(10_000) });
  const answer = await server.fetch(asked, { method, body, headers: { 'Content-Type': 'application/json' } });
  expect([answer.status, answer.headers.get('retry-after'), handled]).toEqual([status, after, status === 200 ? 1 : 0]);
  // A line for each would cost more than the refusal.
  expect(server.logged).toEqual([]);
});

test('a request that has waited too long is 503, to be tried again, and no line in the log', async () => {
  const late = () => Promise.reject(new Failure('expired'));
  const endpoint = endpointOver({ method: 'POST', path, authentication: 'optional', summary: 'Waits.', handler: late });
  const server = startServer({ endpoints: [endpoint] });
  const answer = await server.fetch(path, { method: 'POST' });
  expect([answer.status, answer.headers.get('retry-after'), server.logged]).toEqual([503, '2', []]);
});

test('once there is room again everything is served', async () => {
  let wait = 60_000;
  const server = startServer({ endpoints, waitMilliseconds: () => wait });
  expect((await server.fetch(path, { method: 'POST' })).status).toBe(503);
  wait = 0;
  expect((await server.fetch(path, { method: 'POST' })).status).toBe(200);
});

test('a server in whose place another one may answer serves nothing, also no reads', async () => {
  let isOver = false;
  const server = startServer({ endpoints, isOver: () => isOver });
  expect((await server.fetch(path)).status).toBe(200);
  isOver = true;
  for (const method of ['GET', 'POST']) expect((await server.fetch(path, { method })).status).toBe(503);
});

test('bodies that are being received have a bound together: what is above it is refused, the others go on', async () => {
  const { port, server } = startServer({ endpoints: [], rawRoutes, bodyBytesInFlightMax: 10_000 });
  const part = Buffer.alloc(7_000, ' ');
  const head = `POST /inbox HTTP/1.1\r\nHost: social.example\r\nConnection: close\r\nContent-Length: ${2 * part.length}\r\n\r\n`;
  const upload = () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    socket.write(part);
    return { socket, status: once(socket, 'data').then(([data]) => (data as Buffer).toString().slice(9, 12)) };
  };
  const first = upload();
  await until(() => server.load.bodyBytes === part.length);
  expect(await upload().status).toBe('503');
  expect(server.load.bodyBytes).toBe(part.length);
  first.socket.write(part.subarray(0, 2_000));
  await until(() => server.load.bodyBytes === part.length + 2_000);
  first.socket.destroy();
  await until(() => server.load.bodyBytes === 0);
  const whole = connect(port, '127.0.0.1');
  whole.write(head.replace(String(2 * part.length), String(part.length)));
  whole.write(part);
  const [answer] = (await once(whole, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 200/);
});
