/** Nodes of a cluster that are of two versions: the folders are real, and so is the NATS server. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadOptions } from '../../../src/options/load.ts';
import type { Options } from '../../../src/options/table.ts';
import { natsAccess } from '../../../src/runtime/cluster/nats-access.ts';
import { streamOfPartition } from '../../../src/runtime/cluster/nats-servers.ts';
import { identity, type PartitionIdentity } from '../../../src/runtime/storage/machine.ts';
import { initCluster } from '../../../src/server/cluster/init.ts';
import { joinCluster } from '../../../src/server/cluster/member.ts';
import { prepareFolderOf } from '../../../src/server/cluster/prepare.ts';
import { openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { folderFormat } from '../../../src/server/folder/manifest.ts';
import { append, openLog } from '../../../src/server/folder/partition-files.ts';
import { prepareFolder } from '../../../src/server/folder/prepare.ts';
import { readerOf } from '../../../src/server/folder/verify.ts';
import { type NatsServer, natsProgram, startNatsServer } from '../../support/nats-server.ts';

const nats = natsProgram();
if (nats.missing !== undefined) console.warn(`Upgrades of a cluster are not tested: ${nats.missing}.`);

const wish = { partitions: 1, origin: undefined };

// because it needs a program that not every machine has; where the whole project is checked it must be there
describe.skipIf(nats.missing !== undefined)('two versions', () => {
  let parent: string;
  let servers: NatsServer;
  let options: Options;
  const folder = (name: string) => openDataFolder(join(parent, name));

  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'murmuration-upgrades-'));
    servers = await startNatsServer(nats.path, { folder: mkdtempSync(join(parent, 'nats-')) });
    const media = join(parent, 'media');
    mkdirSync(media);
    const environment = {
      MURMURATION_MEDIA_FOLDER: media,
      MURMURATION_CLUSTER: servers.address.servers.join(','),
      MURMURATION_CLUSTER_REPLICAS: '1',
    };
    options = loadOptions({ environment, configurationFolder: parent, arguments: [] });
  });
  beforeEach(async () => {
    for (const name of ['one', 'two']) rmSync(join(parent, name), { recursive: true, force: true });
    await prepareFolder(folder('one'), wish);
    const { signal } = new AbortController();
    await initCluster(folder('one'), { options, replace: true, signal, show: () => undefined });
    cpSync(join(parent, 'one'), join(parent, 'two'), { recursive: true });
  });
  afterAll(async () => {
    await servers.stop();
    rmSync(parent, { recursive: true, force: true });
  });

  const joined = (name: string) => joinCluster({ options, folder: folder(name), tell: () => undefined });

  /** Begins to serve, and ends. Returns what it said. */
  async function serve(name: string): Promise<string> {
    const said: string[] = [];
    const member = await joined(name);
    await prepareFolderOf(folder(name), wish, member, (sentence) => said.push(sentence));
    await member!.leave();
    return said.join(' ');
  }

  /** Serves as another version does, which leaves this behind. */
  async function leave(name: string, left: Partial<PartitionIdentity>): Promise<void> {
    const member = await joined(name);
    for (const log of member!.handLogs()) {
      await openLog(log, member!.epoch);
      const value = identity.value.encode({ ...readerOf(log).get(identity, [0])!, ...left });
      await append(log, { keys: [identity.encode([0])], values: [value] });
      await log.close();
    }
    await member!.leave();
  }

  test('each node that takes the lease has an epoch of its own, above all earlier ones', async () => {
    const epochs: number[] = [];
    for (const name of ['one', 'two', 'one']) {
      const member = (await joined(name))!;
      epochs.push(member.epoch);
      await member.leave();
    }
    expect(epochs).toEqual([...new Set(epochs)].sort((one, other) => one - other));
  });

  test('no node starts with a stream that was changed, nor with servers that do not flush any more', async () => {
    const access = natsAccess(servers.address);
    const { streams } = (await access.client()).manager;
    const { name } = streamOfPartition(0);
    const { config } = await streams.info(name);
    await streams.update(name, { max_age: 86_400_000_000_000, duplicate_window: 60_000_000_000 });
    await expect(joined('one')).rejects.toThrow(`The stream ${name} has max_age 86400000000000, not 0.`);
    await streams.update(name, config);
    await access.close();
    const { port, folder: store } = servers;
    await servers.stop();
    servers = await startNatsServer(nats.path, { folder: store, port, sync: '"2m"' });
    await expect(joined('one')).rejects.toThrow('confirms what a power failure would take away: set sync_interval');
    await servers.stop();
    servers = await startNatsServer(nats.path, { folder: store, port });
    await (await joined('one'))!.leave();
  });

  const former = folderFormat - 1;
  const next = folderFormat + 1;
  const reads = `which this version cannot read: it reads formats 2 to ${folderFormat}. Start the version that wrote it, or a newer one.`;

  test('the newer one migrates the logs, and the other one follows', async () => {
    await leave('one', { format: former });
    expect(await serve('two')).toContain(`is migrated from format ${former} to ${folderFormat}`);
    expect(await serve('one')).toBe('');
  });

  test.each<[string, Partial<PartitionIdentity>, string]>([
    ['begun to migrate', { migrated: Uint8Array.of(7) }, `a format after ${folderFormat} since a migration began`],
    ['migrated', { format: next, migrated: undefined }, `format ${next}`],
  ])('the older one leaves alone what a newer one has %s, in the cluster and on its own', async (_what, left, format) => {
    await leave('two', left);
    await expect(joined('one')).rejects.toThrow(`Partition 0 cannot go on with its log. It has ${format}, ${reads}`);
    await expect(prepareFolder(folder('one'), wish)).rejects.toThrow(`partition-0/data.mdb has ${format}, ${reads}`);
  });
});
