/** A blocklist that a whole server follows, and that is read while the server is killed. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Some seventy turns of the instance: the server is killed in one of the first. */
const count = 1_500;
const domains = Array.from({ length: count }, (_, index) => `n${index}.example`);

let origin: Server;
let server: RunningServer;

beforeAll(async () => {
  origin = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(domains.join('\n'));
  });
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done));
  server = await startTestServer();
});

afterAll(async () => {
  await server.stop();
  origin.close();
});

interface List {
  readonly id: string;
  readonly reading: boolean;
  readonly in_force_count: number;
  readonly last_changes: object | null;
}

test('each of its rules is made once', async () => {
  const owner = await server.createUser('owner');
  await server.run('accounts', 'modify', 'owner', '--role', 'owner');
  const token = (await server.run('tokens', 'create', 'owner', '--scopes', 'admin:read admin:write')).trim();
  expect(owner.id).toBeDefined();
  const lists = '/api/murmuration/v1/admin/domain_lists';
  const show = async () => ((await (await server.fetch(lists, { token })).json()) as List[])[0]!;
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/list.txt`;
  const json = { url, format: 'plain', mode: 'apply' };
  expect((await server.fetch(lists, { method: 'POST', token, json })).status).toBe(200);
  const cut = await until(async () => {
    const list = await show();
    return list.in_force_count > 0 ? list : undefined;
  });
  const { dataDirectory, port } = server;
  await server.kill();
  expect(cut).toMatchObject({ reading: true });
  expect(cut.in_force_count).toBeLessThan(count);
  server = await startTestServer({ dataDirectory, port });
  const whole = await until(async () => {
    const list = await show();
    return list.reading ? undefined : list;
  });
  expect(whole).toMatchObject({
    in_force_count: count,
    last_changes: { added: count, changed: 0, removed: 0, suggested: 0 },
  });
  const exported = (await server.run('domains', 'export')).trim().split('\n');
  expect(exported.slice(1)).toEqual([...domains].sort().map((domain) => `${domain},suspend,false,false,,false`));
});
