/**
 * A closed network whose servers have certificates of an authority of its own, named by NODE_EXTRA_CA_CERTS. The fixtures
 * are such an authority and a certificate of it for 127.0.0.1 and localhost; they end in a hundred years.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { untilAnswered } from '../support/asking.ts';
import { startTestServer } from '../support/server.ts';

const fixture = (file: string) => join(import.meta.dirname, 'fixtures', file);

let remote: Server;
let asked: string[];

beforeEach(async () => {
  asked = [];
  const certificate = { cert: readFileSync(fixture('server.pem')), key: readFileSync(fixture('server-key.pem')) };
  remote = createServer(certificate, (request, response) => {
    asked.push(request.url!);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
});

afterEach(() => void remote.close());

test.each([
  { authority: 'named', environment: { NODE_EXTRA_CA_CERTS: fixture('authority.pem') }, isAsked: true },
  { authority: 'not named', environment: {}, isAsked: false },
])('a server whose authority is $authority is asked: $isAsked', async ({ environment, isAsked }) => {
  const server = await startTestServer({ environment: { MURMURATION_FEDERATION_ALLOW_HTTP: 'off', ...environment } });
  const { token } = await server.createUser('alice');
  const { port } = remote.address() as AddressInfo;
  const query = encodeURIComponent(`bob@127.0.0.1:${port}`);
  const ask = () => server.fetch(`/api/v1/accounts/search?resolve=true&q=${query}`, { token });
  const answer = await (isAsked ? untilAnswered(ask) : ask());
  expect([answer.status, asked.length > 0]).toEqual([isAsked ? 200 : 503, isAsked]);
  expect(await server.stop()).toBe(0);
});
