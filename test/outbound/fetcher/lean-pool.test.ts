/** The queue of a pool takes no room before something waits, and loses nothing then. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { leanPool } from '../../../src/outbound/fetcher/undici.ts';

const queueOf = (pool: object) => {
  const name = Object.getOwnPropertySymbols(pool).find(({ description }) => description === 'queue')!;
  return (pool as Record<symbol, { head: { list: unknown[] }; isEmpty(): boolean }>)[name]!;
};

test('more requests than a queue has places are answered, each once and in order', async () => {
  let served = 0;
  const server = createServer((request, response) => {
    served += 1;
    response.end(`${request.url} ${served}`);
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dispatcher = leanPool(origin, { connections: 1, pipelining: 1 });
  expect(queueOf(dispatcher).head.list).toEqual([]);
  const answers = await Promise.all(
    Array.from({ length: 2_500 }, async (_, number) =>
      (await request(`${origin}/${number}`, { dispatcher })).body.text(),
    ),
  );
  expect(answers).toEqual(Array.from({ length: 2_500 }, (_, number) => `/${number} ${number + 1}`));
  expect(queueOf(dispatcher).isEmpty()).toBe(true);
  await dispatcher.close();
  server.closeAllConnections();
  await new Promise((closed) => void server.close(closed));
});
