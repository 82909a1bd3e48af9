/** The door of an overloaded server: changes are refused before anything of them is read, reading goes on. */
import { expect, test } from 'vitest';
import { json } from '../../../src/gateway/http/answers.ts';
import { endpointOver, rawRoute } from '../../../src/gateway/route.ts';
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
  const server = startServer({ endpoints, rawRoutes, isOverloaded: () => true });
  const body = method === 'GET' || method === 'HEAD' ? null : JSON.stringify({ text: 'x'.repeat(10_000) });
  const answer = await server.fetch(asked, { method, body, headers: { 'Content-Type': 'application/json' } });
  expect([answer.status, answer.headers.get('retry-after'), handled]).toEqual([status, after, status === 200 ? 1 : 0]);
  // A line for each would cost more than the refusal.
  expect(server.logged).toEqual([]);
});

test('once there is room again everything is served', async () => {
  let isOverloaded = true;
  const server = startServer({ endpoints, isOverloaded: () => isOverloaded });
  expect((await server.fetch(path, { method: 'POST' })).status).toBe(503);
  isOverloaded = false;
  expect((await server.fetch(path, { method: 'POST' })).status).toBe(200);
});
