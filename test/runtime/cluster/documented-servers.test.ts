/** Three NATS servers with the configuration that docs/cluster has, names and places aside: a start takes them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { natsAccess } from '../../../src/runtime/cluster/nats-access.ts';
import {
  assertServersKeep,
  assertStreamKeeps,
  createStream,
  streamOfPartition,
} from '../../../src/runtime/cluster/nats-servers.ts';
import { NatsStream } from '../../../src/runtime/cluster/nats-stream.ts';
import { freePort } from '../../support/free-port.ts';
import { NatsServer, natsNames, natsProgram } from '../../support/nats-server.ts';
import { until } from '../../support/until.ts';

const nats = natsProgram();
if (nats.missing !== undefined) console.warn(`The configuration of docs/cluster is not tested: ${nats.missing}.`);

const page = readFileSync(join(import.meta.dirname, '../../../docs/cluster/README.md'), 'utf8');
const documented = /^server_name: one\n[\s\S]*?(?=^```$)/m.exec(page)![0];

// because it needs a program that not every machine has; where the whole project is checked it must be there
describe.skipIf(nats.missing !== undefined)('documented servers', () => {
  let parent: string;
  let servers: NatsServer[];

  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'murmuration-documented-'));
    const places: { name: string; port: number; route: number }[] = [];
    for (const name of natsNames) places.push({ name, port: await freePort(), route: await freePort() });
    servers = places.map(({ name, port, route }) => {
      const folder = join(parent, name);
      mkdirSync(folder);
      const others = places.filter((place) => place.name !== name).map((place) => `nats://127.0.0.1:${place.route}`);
      const configuration = documented
        .replace('server_name: one', `server_name: ${name}`)
        .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
        .replace('0.0.0.0:6222', `127.0.0.1:${route}`)
        .replace('/var/lib/nats', `"${folder}/store"`)
        .replace(/routes: \[[^\]]*\]/, `routes: [${others.join(', ')}]`);
      return new NatsServer(nats.path, { folder, configuration }, port);
    });
    await Promise.all(servers.map((server) => server.start()));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(parent, { recursive: true, force: true });
  });

  test('they flush, tell so, and keep a log three times', async () => {
    const address = {
      servers: servers.map(({ port }) => `nats://murmuration:another%20long%20one@127.0.0.1:${port}`),
      ...{ credentialsFile: undefined, authoritiesFile: undefined },
    };
    const access = natsAccess(address);
    const client = await access.client();
    await until(() => client.manager.getAccountInfo(), { description: 'NATS servers that agree' });
    await assertServersKeep(client, 3);
    await createStream(client, 1, 3);
    await assertStreamKeeps(client, 1, 3);
    const stream = new NatsStream({ access, ...streamOfPartition(1) });
    // Larger than what NATS takes without the line about it.
    expect(await stream.recordBytesMax()).toBeGreaterThan(4_000_000);
    expect(await stream.publish(new Uint8Array(4_000_000), 0)).toEqual({ kind: 'stored', sequence: 1 });
    await stream.close();
  });
});
