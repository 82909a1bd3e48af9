/** The small server for the operator's programs, over real sockets: one short answer to whatever comes. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PlainServer, servePlain } from '../../../src/gateway/operator/plain-server.ts';

let server: PlainServer;

beforeAll(async () => {
  const answer = ({ path, target }: { path: string; target: string }) => ({ status: 200, body: `${path} ${target}` });
  server = await servePlain({ host: '127.0.0.1', port: 0, answer });
});

afterAll(() => server.close());

async function say(bytes: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data.toString();
  });
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

test.each([
  ['HTTP/1.0', 'GET /a?b=c HTTP/1.0\r\n\r\n', '200', '/a /a?b=c'],
  ['HTTP/1.0 that asks for more', 'GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', '200', '/a /a'],
  ['HEAD', 'HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n', '200', ''],
  ['two requests at once', 'GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n', '200', '/a /a'],
  ['another method', 'POST /a HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n\r\nabc', '405', ''],
  ['a head that is too long', `GET /a HTTP/1.0\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, '431', ''],
  ['no request', 'hello\r\n\r\n', '400', ''],
])('%s gets one answer, and the connection ends', async (_name, bytes, status, body) => {
  const answer = await say(bytes);
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
  expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(body);
});
