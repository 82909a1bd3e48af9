/**
 * A server whose logs are in a NATS server, and whose media and snapshots are in a bucket: from its own folder there, through deaths, to an
 * older copy of its folder, and back.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadOptions } from '../../../src/options/load.ts';
import { natsAccess } from '../../../src/runtime/cluster/nats-access.ts';
import { streamOfPartition } from '../../../src/runtime/cluster/nats-servers.ts';
import { NatsStream } from '../../../src/runtime/cluster/nats-stream.ts';
import { systemClock } from '../../../src/runtime/threads/clock.ts';
import { takeAlone } from '../../../src/server/cluster/alone.ts';
import { foundRegister } from '../../../src/server/cluster/attend.ts';
import { forgetCopy } from '../../../src/server/cluster/forget-copy.ts';
import { initCluster } from '../../../src/server/cluster/init.ts';
import { joinCluster } from '../../../src/server/cluster/member.ts';
import { repairCluster } from '../../../src/server/cluster/repair.ts';
import { Standby } from '../../../src/server/cluster/standby.ts';
import { clusterStatus } from '../../../src/server/cluster/status.ts';
import { openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { readManifest } from '../../../src/server/folder/manifest.ts';
import { prepareFolder } from '../../../src/server/folder/prepare.ts';
import { freePort } from '../../support/free-port.ts';
import { type NatsServer, natsProgram, startNatsServer } from '../../support/nats-server.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { openStream } from '../../support/stream-readers.ts';
import { until } from '../../support/until.ts';
import { uploadedPicture } from '../../support/upload.ts';
import type { User } from '../../support/users.ts';

const nats = natsProgram();
if (nats.missing !== undefined) console.warn(`A server in a cluster is not tested: ${nats.missing}.`);

// because it needs a program that not every machine has; where the whole project is checked it must be there
describe.skipIf(nats.missing !== undefined)('in a cluster', () => {
  let parent: string;
  let servers: NatsServer;
  let bucket: S3Server;
  let port: number;
  let user: User;
  const folder = (name: string) => join(parent, name);
  const posted: string[] = [];

  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'murmuration-cluster-'));
    servers = await startNatsServer(nats.path, { folder: mkdtempSync(join(parent, 'nats-')) });
    bucket = await startS3Server();
    port = await freePort();
  });
  afterAll(async () => {
    await servers.stop();
    await bucket.stop();
    rmSync(parent, { recursive: true, force: true });
  });

  const start = (dataDirectory: string, environment: Readonly<Record<string, string>>) =>
    startTestServer({ dataDirectory, port, environment });
  /** A node with an address of its own, as another machine has. */
  const startNode = (name: string, host: string, environment: Readonly<Record<string, string>> = {}) =>
    startTestServer({
      ...{ dataDirectory: folder(name), port, host },
      environment: {
        ...clustered(),
        MURMURATION_ORIGIN: `http://127.0.0.1:${port}`,
        MURMURATION_CLUSTER_NODE: `http://${host}:${port}`,
        ...environment,
      },
    });
  const clustered = () => ({
    MURMURATION_CLUSTER: servers.address.servers.join(','),
    MURMURATION_CLUSTER_REPLICAS: '1',
    // As behind a slow network; rounds.test.ts has one at a time.
    MURMURATION_CLUSTER_APPENDS: '4',
    MURMURATION_MEDIA_S3_BUCKET: bucket.options.bucket,
    ...serviceOf('MURMURATION_MEDIA_S3'),
  });
  const serviceOf = (prefix: string) => ({
    [`${prefix}_ENDPOINT`]: bucket.options.endpoint,
    [`${prefix}_ACCESS_KEY`]: bucket.options.accessKeyId,
    [`${prefix}_SECRET_KEY`]: bucket.options.secretAccessKey,
  });
  const options = () => loadOptions({ environment: clustered(), configurationFolder: parent, arguments: [] });

  async function post(server: RunningServer, text: string): Promise<void> {
    const answer = await server.fetch('/api/v1/statuses', {
      method: 'POST',
      token: user.token,
      json: { status: text },
    });
    expect(answer.status).toBe(200);
    posted.unshift(text);
  }

  async function shown(server: RunningServer): Promise<string[]> {
    const answer = await server.fetch(`/api/v1/accounts/${user.id}/statuses?limit=40`, { token: user.token });
    const statuses = (await answer.json()) as { content: string }[];
    return statuses.map(({ content }) => content.replaceAll(/<[^>]+>/g, ''));
  }

  const init = (name: string, replace = false) => {
    const { signal } = new AbortController();
    return initCluster(openDataFolder(folder(name)), { options: options(), replace, signal, show: () => undefined });
  };
  /** Holds the lease for a moment. */
  async function joined(name: string): Promise<void> {
    const opened = openDataFolder(folder(name));
    const tell = () => undefined;
    await (await joinCluster({ options: options(), folder: opened, tell }))?.leave();
  }

  test('what was acknowledged is there after every end, also in an older copy of the folder', async () => {
    const embedded = await start(folder('first'), { MURMURATION_PARTITIONS: '2' });
    user = await embedded.createUser('alice');
    await post(embedded, 'before the cluster');
    await embedded.stop();
    await expect(joined('first')).rejects.toThrow('run murmuration cluster init first');
    expect(await init('first')).toEqual([
      expect.stringMatching(/^The NATS servers keep the logs of 2 partitions from now on: 0\.\d MB\.$/),
    ]);
    await expect(init('first')).rejects.toThrow('have logs of this server already');
    cpSync(folder('first'), folder('copy'), { recursive: true });

    const first = await start(folder('first'), clustered());
    expect(await shown(first)).toEqual(posted);
    await Promise.all(Array.from({ length: 20 }, (_, number) => post(first, `post ${number}`)));
    // The log answers again once its server does.
    await servers.freeze();
    const late = post(first, 'while the log was silent');
    servers.goOn();
    await late;
    await expect(init('copy', true)).rejects.toThrow(`A node of the cluster serves ${first.origin}: stop it first.`);
    await first.kill();

    // The same folder again: its earlier run is over for certain.
    const again = await start(folder('first'), clustered());
    expect(new Set(await shown(again))).toEqual(new Set(posted));
    const standby = startNode('copy', '127.0.0.2');
    await post(again, 'while another node stands by');
    expect(await again.stop()).toBe(0);
    const copy = await standby;
    expect(new Set(await shown(copy))).toEqual(new Set(posted));
    await post(copy, 'in the copy');
    expect(await copy.stop()).toBe(0);
  });

  const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;

  // because it waits for real seconds
  test.skipIf(!isLong)('a node that dies or is cut off ends, and the one that stands by takes over', async () => {
    const first = await start(folder('first'), clustered());
    const standby = startNode('copy', '127.0.0.2');
    await post(first, 'before the first one dies');
    await first.kill();
    const copy = await standby;
    expect(new Set(await shown(copy))).toEqual(new Set(posted));
    await servers.freeze();
    await until(() => copy.output().includes('This node lost the lease of its cluster: another one may serve.'));
    await until(() => copy.process.signalCode === 'SIGKILL');
    // Its own end, for which no page of its files is to blame.
    expect(readManifest(openDataFolder(folder('copy')))).not.toHaveProperty('unclosedStarts');
    servers.goOn();
    const again = await start(folder('first'), clustered());
    expect(new Set(await shown(again))).toEqual(new Set(posted));
    expect(await again.stop()).toBe(0);
  });

  test('a node that stands by tells so, refuses or passes on, and takes over at a word', async () => {
    const metricsPort = await freePort();
    const first = await startNode('first', '127.0.0.1');
    const standby = startNode('copy', '127.0.0.2', { MURMURATION_METRICS_PORT: String(metricsPort) });
    const asked = (path: string, headers = {}) => fetch(`http://127.0.0.2:${port}${path}`, { headers });
    const health = async (): Promise<unknown> => {
      const answer = await asked('/health', { accept: 'application/json' }).catch(() => undefined);
      return answer?.json();
    };
    const expected = {
      status: 'STANDBY',
      serving: `http://127.0.0.1:${port}`,
      partitions: [0, 1].map((partition) => ({ partition, records: 0, seconds: 0 })),
    };
    await expect.poll(health, { timeout: 60_000 }).toEqual(expected);
    expect(await (await asked('/health')).text()).toBe('STANDBY');
    const refused = await asked('/api/v1/instance');
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      503,
      '2',
      {
        error: `This node stands by: http://127.0.0.1:${port} is served by the node http://127.0.0.1:${port}.`,
      },
    ]);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toMatch(/^murmuration_cluster_serving\{.*\} 0$/m);
    expect(metrics).toMatch(/^murmuration_cluster_lag_records\{.*partition="1".*\} 0$/m);
    const lines = await clusterStatus(options(), new AbortController().signal);
    // One that was killed stays for a while.
    const left = `Node ${hostname()},`;
    expect(lines.filter((line) => !line.startsWith(left))).toEqual([
      `Serves: http://127.0.0.1:${port} at http://127.0.0.1:${port}`,
      expect.stringMatching(`^Node http://127.0.0.1:${port}, version .*: serves$`),
      expect.stringMatching(
        `^Node http://127.0.0.2:${port}, version .*: stands by, 0 records behind, up to date 0 s ago$`,
      ),
      expect.stringMatching(/^Log 0: \d+ records, 0\.\d MB, 1 of 1 replicas up to date, led by /),
      expect.stringMatching(/^Log 1: /),
    ]);
    await post(first, 'before the handover');
    const uploaded = await uploadedPicture(first, user);
    expect(await first.run('cluster', 'handover')).toBe(
      `http://127.0.0.2:${port} takes over. This node ends, to stand by when it is started again.\n`,
    );
    const copy = await standby;
    await until(() => first.process.exitCode !== null);
    expect(first.process.exitCode).toBe(75);
    await post(copy, 'behind the handover');
    const picture = await fetch(`${copy.origin}${new URL(uploaded).pathname}`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(new Set(await shown(copy))).toEqual(new Set(posted));
    await expect(copy.run('cluster', 'handover')).rejects.toThrow('No node stands by that is up to date');

    const passing = startNode('first', '127.0.0.1', { MURMURATION_CLUSTER_PASS_ON: 'on' });
    // By the node that does not serve.
    await expect.poll(() => post(first, 'passed on').catch(String), { timeout: 60_000 }).toBeUndefined();
    const reader = await openStream(first, 'websocket', { channel: 'user', token: user.token });
    await post(first, 'beside a stream that is passed on');
    await reader.next(({ event }) => event === 'update');
    reader.close();
    expect(await copy.run('cluster', 'leave')).toBe(`http://127.0.0.1:${port} takes over. This node ends.\n`);
    const again = await passing;
    expect(copy.process.exitCode).toBe(0);
    expect(new Set(await shown(again))).toEqual(new Set(posted));
    expect(await again.stop()).toBe(0);
  });

  test('logs are truncated behind the second newest snapshot, from which a new node joins', async () => {
    const place = `s3://${bucket.options.bucket}/snapshots`;
    const environment = { MURMURATION_CLUSTER_SNAPSHOTS: place, ...serviceOf('MURMURATION_BACKUP_S3') };
    cpSync(folder('first'), folder('straggler'), { recursive: true });
    const server = await startNode('first', '127.0.0.1', environment);
    const firstRecord = async () => {
      const lines = await clusterStatus(options(), new AbortController().signal);
      return Number(/Log 0: (\d+) records/.exec(lines.join('\n'))?.[1]);
    };
    const command = async (name: string, ...words: readonly string[]) => {
      const child = spawn(process.execPath, ['src/start.mjs', ...words], {
        env: { ...process.env, ...clustered(), ...environment, MURMURATION_DATA_DIR: folder(name) },
      });
      const said = text(child.stderr);
      const printed = await text(child.stdout);
      return printed === '' ? await said : printed;
    };
    const before = await firstRecord();
    const made = await command('first', 'cluster', 'snapshot');
    expect(made).toMatch(/^Snapshot \S+ in .*\.\nThe logs are truncated once there is another snapshot\.\n$/);
    expect(made).toContain(` in ${place}.\n`);
    for (let number = 0; number < 5; number += 1) await post(server, `between snapshots ${number}`);
    expect(await command('first', 'cluster', 'snapshot')).toMatch(/\nThe logs begin at \S+ now: \d+\.\d MB fewer\.\n$/);
    expect(await firstRecord()).toBeLessThan(before);
    await post(server, 'behind the snapshots');
    expect(await command('first', 'cluster', 'join')).toMatch(/is in use by a server|is not empty/);
    expect(await command('joined', 'cluster', 'join')).toMatch(/joined is the snapshot \S+ of \S+Z\. Start the server/);
    await server.stop();
    await expect(joined('straggler')).rejects.toThrow(
      'ends before its log begins: move the data folder away, and run murmuration cluster join.',
    );
    const fresh = await startNode('joined', '127.0.0.1');
    expect(new Set(await shown(fresh))).toEqual(new Set(posted));
    await post(fresh, 'on the node that joined');
    expect(await fresh.stop()).toBe(0);
  });

  /** A node stands by, and takes the lease over from a repair that has begun. */
  async function startsNotInARepair(name: string): Promise<void> {
    const access = natsAccess(servers.address);
    const { register, registered } = await foundRegister(await access.client());
    const lease = await takeAlone(register, { session: undefined }, 'http://repair');
    const standby = new Standby(systemClock);
    const waits = Promise.withResolvers<void>();
    const opened = openDataFolder(folder(name));
    const joining = joinCluster({ options: options(), folder: opened, standby, tell: () => waits.resolve() });
    const refused = expect(joining).rejects.toThrow('A repair of the logs has begun, and is not finished');
    await Promise.race([waits.promise, refused]);
    await register.write({ ...registered, repairing: true });
    await lease.giveBack();
    await refused;
    await register.write(registered);
    // The one that refused has given the lease back.
    await (await takeAlone(register, { session: undefined }, 'http://repair')).giveBack();
    await access.close();
  }

  test('logs that have lost their end freeze whoever serves, and are made anew from the copy that has the most', async () => {
    const repair = (name: string, copies?: number) => {
      const { signal } = new AbortController();
      return repairCluster(openDataFolder(folder(name)), { options: options(), copies, signal, show: () => undefined });
    };
    /** The streams end some records earlier than they did. */
    const loseEnds = async (records: number) => {
      const access = natsAccess(servers.address);
      const client = await access.client();
      for (const partition of [0, 1]) {
        const stream = new NatsStream({ access, ...streamOfPartition(partition) });
        const { first, last } = await stream.bounds();
        const kept: Uint8Array[] = [];
        for await (const { bytes } of stream.replay(first, last - records)) kept.push(bytes);
        const { config } = await stream.info();
        await client.manager.streams.delete(config.name);
        await client.manager.streams.add({ ...config, first_seq: first });
        for (const [index, bytes] of kept.entries())
          expect(await stream.publish(bytes, first - 1 + index)).toMatchObject({ kind: 'stored' });
      }
      await access.close();
    };
    expect((await repair('joined')).at(-1)).toBe('There is nothing to repair.');
    await startsNotInARepair('joined');
    cpSync(folder('joined'), folder('behind'), { recursive: true });
    const server = await startNode('joined', '127.0.0.1');
    for (let number = 0; number < 3; number += 1) await post(server, `what the logs lose ${number}`);
    await loseEnds(2);
    const refused = await server.fetch('/api/v1/statuses', {
      ...{ method: 'POST', token: user.token, json: { status: 'into other logs' } },
    });
    expect(refused.status).toBe(503);
    await until(() => server.output().includes('takes no writes any more'), { description: 'what it says' });
    expect(server.output()).toMatch(
      /takes no writes any more\. The log ends at record \d+, and record \d+ was read already\. Stop all nodes, and run murmuration cluster repair on each\./,
    );
    expect(new Set(await shown(server))).toEqual(new Set(posted));
    await expect(repair('behind')).rejects.toThrow(`A node of the cluster serves ${server.origin}: stop it first.`);
    await server.kill();
    await expect(joined('joined')).rejects.toThrow(
      /^Partition \d cannot go on with its log\. The log ends at record \d+, and this copy has applied record \d+ already\. Stop all nodes, and run murmuration cluster repair on each\.$/,
    );

    // One that has less only says so.
    expect(await repair('behind')).toContain('There is nothing to repair.');
    const planned = await repair('joined');
    expect(planned.join('\n')).toMatch(
      /its log has batch \d+ of epoch \d+\. The copy of this node has batch \d+ of epoch \d+: the log is made anew from it\./,
    );
    expect(planned.at(-1)).toBe(
      'Nothing was changed. What is to be done here does murmuration cluster repair --apply --copies NUMBER, with the number of machines that have a copy.',
    );
    // That one had nothing to repair, and was forgotten.
    await expect(repair('joined', 2)).rejects.toThrow(
      `Nothing was changed: --copies says 2, and 1 is known: ${hostname()}. Run murmuration cluster repair without --apply on the others first.`,
    );
    await expect(forgetCopy(options(), 'unknown')).rejects.toThrow(
      `No copy of unknown is noted. Noted are: ${hostname()}.`,
    );
    expect(await forgetCopy(options(), hostname())).toEqual([
      `The note about the copy of ${hostname()} is removed. Its data folder, where it is still there, was not touched.`,
    ]);
    expect(await repair('joined')).toContain(`Known copies: ${hostname()}.`);
    expect(await repair('behind')).toContain(`Known copies: ${hostname()}, ${hostname()}.`);
    await expect(repair('joined', 1)).rejects.toThrow('--copies says 1, and 2 are known');
    expect((await repair('behind', 2)).join('\n')).toMatch(
      /: the log is made anew from it, by this command there\.\n.*0 of 2 logs were made anew.*\nThe others are left/s,
    );
    const done = await repair('joined', 2);
    expect(done).toContain(`Known copies: ${hostname()}, ${hostname()}.`);
    expect(done.join('\n')).toMatch(/[12] of 2 logs were made anew from this copy: \d\.\d MB\./);
    expect(done).toContain(
      `The copy of ${hostname()} cannot go on with the logs: move its data folder away, and run murmuration cluster join there.`,
    );
    await expect(joined('behind')).rejects.toThrow('cannot go on with its log.');
    const again = await startNode('joined', '127.0.0.1');
    expect(new Set(await shown(again))).toEqual(new Set(posted));
    await post(again, 'in the logs that were made anew');
    expect(await again.stop()).toBe(0);
    rmSync(folder('first'), { recursive: true });
    cpSync(folder('joined'), folder('first'), { recursive: true });
  });

  test('any folder is one on its own again when the option is taken away, and then no longer one of the cluster', async () => {
    await joined('first');
    const opened = openDataFolder(folder('first'));
    await prepareFolder(opened, { partitions: 2, origin: undefined });
    await expect(joined('first')).rejects.toThrow('The partition was written without its log');
    await expect(init('first')).rejects.toThrow('With --replace they are removed first.');
    await init('first', true);
    await joined('first');
    await expect(joined('copy')).rejects.toThrow(/^Partition 0 cannot go on with its log\. /);
  });

  test('a new folder, and one of another server, have no place in it', async () => {
    await expect(joined('new')).rejects.toThrow('and run: murmuration cluster init');
    await prepareFolder(openDataFolder(folder('other')), { partitions: 2, origin: undefined });
    await expect(joined('other')).rejects.toThrow('The NATS servers keep the logs of another data folder.');
  });
});
