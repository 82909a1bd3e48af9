/** What the folder of a node is good for that has followed the logs, and never served: its manifest knows no start since it was copied. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadOptions } from '../../../src/options/load.ts';
import type { Options } from '../../../src/options/table.ts';
import { natsAccess } from '../../../src/runtime/cluster/nats-access.ts';
import { cursors, identity } from '../../../src/runtime/storage/machine.ts';
import { systemClock } from '../../../src/runtime/threads/clock.ts';
import { openToRead } from '../../../src/server/backup/moment.ts';
import { takeAlone } from '../../../src/server/cluster/alone.ts';
import { foundRegister } from '../../../src/server/cluster/attend.ts';
import { initCluster } from '../../../src/server/cluster/init.ts';
import { joinCluster } from '../../../src/server/cluster/member.ts';
import { prepareFolderOf } from '../../../src/server/cluster/prepare.ts';
import { Standby } from '../../../src/server/cluster/standby.ts';
import { checkFolder } from '../../../src/server/folder/check-folder.ts';
import { openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { append, openPartition } from '../../../src/server/folder/partition-files.ts';
import { prepareFolder, recordCommits } from '../../../src/server/folder/prepare.ts';
import { readerOf } from '../../../src/server/folder/verify.ts';
import { type NatsServer, natsProgram, startNatsServer } from '../../support/nats-server.ts';
import { until } from '../../support/until.ts';

const nats = natsProgram();
if (nats.missing !== undefined) console.warn(`Folders that followed logs are not tested: ${nats.missing}.`);

const wish = { partitions: 2, origin: undefined };
const starts = 3;

// because it needs a program that not every machine has; where the whole project is checked it must be there
describe.skipIf(nats.missing !== undefined)('a folder that followed the logs', () => {
  let parent: string;
  let servers: NatsServer;
  let options: Options;
  const folder = (name: string) => openDataFolder(join(parent, name));

  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'murmuration-followed-'));
    mkdirSync(join(parent, 'media'));
    servers = await startServer('nats');
    await prepareFolder(folder('one'), wish);
    await init('one');
    cpSync(join(parent, 'one'), join(parent, 'two'), { recursive: true });
    for (let times = 0; times < starts; times += 1) await serve('one');
    await follow('two');
    cpSync(join(parent, 'two'), join(parent, 'kept'), { recursive: true });
  });
  beforeEach(() => {
    rmSync(join(parent, 'two'), { recursive: true, force: true });
    cpSync(join(parent, 'kept'), join(parent, 'two'), { recursive: true });
  });
  afterAll(async () => {
    await servers.stop();
    rmSync(parent, { recursive: true, force: true });
  });

  async function startServer(store: string): Promise<NatsServer> {
    mkdirSync(join(parent, store));
    const server = await startNatsServer(nats.path, { folder: join(parent, store) });
    const environment = {
      MURMURATION_MEDIA_FOLDER: join(parent, 'media'),
      MURMURATION_CLUSTER: server.address.servers.join(','),
      MURMURATION_CLUSTER_REPLICAS: '1',
    };
    options = loadOptions({ environment, configurationFolder: parent, arguments: [] });
    return server;
  }

  const { signal } = new AbortController();
  const init = (name: string, replace = true) =>
    initCluster(folder(name), { options, replace, signal, show: () => undefined });

  async function serve(name: string): Promise<void> {
    const member = await joinCluster({ options, folder: folder(name), tell: () => undefined });
    const manifest = await prepareFolderOf(folder(name), wish, member, () => undefined);
    await member!.leave();
    await recordCommits(folder(name), manifest);
  }

  /** While somebody else has the lease, until nothing is left to read. */
  async function follow(name: string): Promise<void> {
    const access = natsAccess(servers.address);
    const { register } = await foundRegister(await access.client());
    const lease = await takeAlone(register, { session: undefined }, 'http://one');
    const stop = new AbortController();
    const standby = new Standby(systemClock);
    const joining = joinCluster({ options, folder: folder(name), standby, signal: stop.signal, tell: () => undefined });
    const ended = expect(joining).rejects.toThrow('enough');
    await until(() => standby.serving !== undefined && standby.worst.records === 0);
    stop.abort(new Error('enough'));
    await ended;
    await lease.giveBack();
    await access.close();
  }

  async function epochOf(name: string): Promise<number> {
    const log = openPartition(folder(name), 0);
    try {
      return readerOf(log).get(identity, [0])!.epoch;
    } finally {
      await log.close();
    }
  }

  test('it is one on its own when the option is taken away, above everything that the cluster has written', async () => {
    const before = await epochOf('two');
    const manifest = await prepareFolder(folder('two'), wish);
    expect([manifest.epoch > before, await epochOf('two')]).toEqual([true, manifest.epoch]);
    await recordCommits(folder('two'), manifest);
    expect((await prepareFolder(folder('two'), wish)).epoch).toBe(manifest.epoch + 1);
  });

  test('it is sound, and a backup can be made of it', async () => {
    expect(await checkFolder(folder('two'))).toMatchObject({ sound: true });
    const opened = openToRead(folder('two'), false);
    await opened.hold();
    await opened.close();
  });

  test('one whose partitions are not of one moment says what brings them together', async () => {
    const log = openPartition(folder('two'), 1);
    const value = cursors.value.encode({ sequence: 5, epoch: 1 });
    await append(log, { keys: [cursors.encode([0])], values: [value] });
    await log.close();
    await expect(prepareFolder(folder('two'), wish)).rejects.toThrow(
      'because each has followed its log for itself: partition-0/data.mdb is older than partition-1/data.mdb. Nothing was changed. With MURMURATION_CLUSTER the server brings them together',
    );
  });

  test('what was interrupted begins anew', async () => {
    await prepareFolder(folder('three'), wish);
    const stop = new AbortController();
    const show = () => stop.abort(new Error('enough'));
    const interrupted = initCluster(folder('three'), { options, replace: true, signal: stop.signal, show });
    await expect(interrupted).rejects.toThrow('enough');
    await init('three', false);
  });

  test('new logs are made of it where all others are lost', async () => {
    await servers.stop();
    servers = await startServer('new-nats');
    const joining = joinCluster({ options, folder: folder('two'), tell: () => undefined });
    await expect(joining).rejects.toThrow('Where they had some and have lost them, run murmuration cluster repair');
    // Of the one that followed, and of the one that served.
    for (const name of ['two', 'one'])
      await expect(init(name, false)).rejects.toThrow('Another copy may have more of them');
    const before = await epochOf('two');
    await init('two');
    const access = natsAccess(servers.address);
    const { registered } = await foundRegister(await access.client());
    await access.close();
    // Revisions of a new bucket are small: epochs must not begin anew with them.
    expect(registered.epoch).toBeGreaterThanOrEqual(before);
    await serve('two');
    await serve('two');
  });
});
