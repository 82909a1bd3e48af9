/** A minimal gateway thread: serves until it is told to close, then ends. */
import { parentPort } from 'node:worker_threads';
import { json } from '../../../src/gateway/http/answers.ts';
import { HttpServer } from '../../../src/gateway/http/server.ts';
import { endpointOver } from '../../../src/gateway/route.ts';

const server = new HttpServer({
  publicOrigin: 'https://social.example',
  trustedProxyCount: 0,
  services: undefined,
  endpoints: [
    endpointOver({
      method: 'GET',
      path: '/api/v1/thread',
      authentication: 'optional',
      summary: 'Answers from a thread.',
      handler: () => json('from a thread'),
    }),
  ],
  rawRoutes: [],
  authenticate: () => undefined,
  rateLimits: undefined,
  log: (entry) => parentPort!.postMessage(entry),
});

parentPort!.once('message', () => server.close(1_000));
parentPort!.postMessage(server.listen('127.0.0.1', 0));
