/** A server whose place another one may have taken answers nothing, and opens no stream, until it knows better. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { json } from '../../../src/gateway/http/answers.ts';
import { endpointOver } from '../../../src/gateway/route.ts';
import type { StreamHub } from '../../../src/gateway/streaming/hub.ts';
import { serveWebSocketStreams } from '../../../src/gateway/streaming/websocket.ts';
import { only } from '../../support/only.ts';
import { requestText, startServer } from './support.ts';

const show = endpointOver({
  method: 'GET',
  path: '/api/v1/show',
  authentication: 'optional',
  summary: 'Shows.',
  handler: () => json({ shown: true }),
});

test('requests and streams are refused with 503 for as long as it may not serve', async () => {
  let mayServe = true;
  const isOver = () => !mayServe;
  const { server, port } = startServer({ endpoints: [show], isOver });
  serveWebSocketStreams({
    ...{ app: server.app, hub: only<StreamHub>('hub', {}), isOver, authenticate: () => undefined },
    ...{ isCompressing: false, trustedProxyCount: 0, upgraded: () => undefined },
  });
  const upgrade = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];
  const statuses = () =>
    Promise.all([
      statusOf(port, requestText('GET /api/v1/show')),
      statusOf(port, requestText('GET /nowhere')),
      statusOf(
        port,
        requestText('GET /api/v1/streaming', ...upgrade).replace('Connection: close', 'Connection: Upgrade'),
      ),
    ]);
  expect(await statuses()).toEqual(['200', '404', '401']);
  mayServe = false;
  expect(await statuses()).toEqual(['503', '503', '503']);
  mayServe = true;
  expect(await statuses()).toEqual(['200', '404', '401']);
});

/** Some refusals leave the connection open. */
async function statusOf(port: number, request: string): Promise<string | undefined> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString('latin1').split(' ', 2)[1];
}
