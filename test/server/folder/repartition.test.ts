/** `murmuration repartition` on folders: refusals, interruptions, and a server before and after. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { followersByTime } from '../../../src/actors/account/relationships/relationships.state.ts';
import { meta as counters, inbox } from '../../../src/runtime/storage/machine.ts';
import { checkFolder } from '../../../src/server/folder/check-folder.ts';
import { type DataFolder, openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { readManifest } from '../../../src/server/folder/manifest.ts';
import { append, openPartition } from '../../../src/server/folder/partition-files.ts';
import { prepareFolder } from '../../../src/server/folder/prepare.ts';
import { repartitionFolder } from '../../../src/server/folder/repartition.ts';
import { idsOf } from '../../support/asking.ts';
import { startTestServer } from '../../support/server.ts';
import { assertSoundFolder } from '../../support/sound.ts';
import { startTown } from '../../support/town.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);
const startFile = join(import.meta.dirname, '../../../src/start.mjs');
const fixture = join(import.meta.dirname, '../../fixtures/folder-of-format-2/folder.tar.gz');
const ports = {
  freeBytes: () => 1_000_000_000,
  deliverMessages: () => Promise.reject(new Error('nothing is to be delivered')),
};
let parent: string;
let folder: DataFolder;

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-repartition-'));
  await run('tar', ['-xzf', fixture, '-C', parent]);
  await prepareFolder(openDataFolder(join(parent, 'data')), { partitions: 3, origin: undefined });
});
beforeEach(() => {
  const path = join(parent, 'copy');
  rmSync(path, { recursive: true, force: true });
  cpSync(join(parent, 'data'), path, { recursive: true });
  folder = openDataFolder(path);
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const partitionFolders = () => readdirSync(folder.path).filter((name) => name.startsWith('partition-'));
const manifestText = () => readFileSync(join(folder.path, 'manifest.json'), 'utf8');

test.each([[1], [2], [7]])('a folder of 3 partitions moves to %d, and is sound', async (partitions) => {
  expect(await repartitionFolder(folder, partitions, ports)).toEqual([`Partitions: ${partitions}, before: 3.`]);
  const names = Array.from({ length: partitions }, (_, number) => `partition-${number}-generation-1`);
  expect(partitionFolders().sort()).toEqual(names);
  expect(readManifest(folder)).toMatchObject({ partitions, generation: 1 });
  expect((await checkFolder(folder)).lines.at(-1)).toBe('Nothing is wrong.');
  await expect(prepareFolder(folder, { partitions, origin: undefined })).resolves.toMatchObject({ partitions });
});

async function change(number: number, key: Uint8Array, value: Uint8Array | undefined): Promise<void> {
  const log = openPartition(folder, number);
  await append(log, { keys: [key], values: [value] });
  await log.close();
}

/** Takes the first entry of a keyspace out. */
async function damage(): Promise<void> {
  for (const number of [0, 1, 2]) {
    const log = openPartition(folder, number);
    const keys = [...log.reader.range({ start: Uint8Array.of(0), end: Uint8Array.of(0xff) })].map(({ key }) =>
      Uint8Array.from(key),
    );
    await log.close();
    const key = keys.find((candidate) => candidate[2] === followersByTime.number);
    if (key !== undefined) return change(number, key, undefined);
  }
}

describe('refused, and nothing is changed', () => {
  test.each<[string, number, RegExp, () => Promise<void> | void]>([
    ['the same number', 3, /^There are 3 partitions already\.$/, () => undefined],
    ['none at all', 0, /^A server has 1 to 256 partitions\.$/, () => undefined],
    ['an unsound folder', 2, /is damaged\. Run murmuration check for details\.$/, damage],
  ])('%s', async (_what, partitions, sentence, prepare) => {
    await prepare();
    const before = manifestText();
    await expect(repartitionFolder(folder, partitions, ports)).rejects.toThrow(sentence);
    expect([manifestText(), partitionFolders().length]).toEqual([before, 3]);
  });

  test('too little room', async () => {
    const sentence = /^There is not enough room .* \d+ MB are needed, 1 MB are free\.$/;
    await expect(repartitionFolder(folder, 2, { ...ports, freeBytes: () => 100_000 })).rejects.toThrow(sentence);
    expect(partitionFolders().length).toBe(3);
  });

  test('messages that cannot be delivered', async () => {
    const log = openPartition(folder, 1);
    const stored = counters.value.decode(Uint8Array.from(log.reader.get(counters.encode([0]))!));
    await log.close();
    await change(
      1,
      counters.encode([0]),
      counters.value.encode({ ...stored, inboxSequence: stored.inboxSequence + 1 }),
    );
    const { kind, message } = Account.sweepStatus.to(1n, { statusId: 1n });
    const waiting = inbox.value.encode([kind, 1n, message, { statusId: 1n }, 'system']);
    await change(1, inbox.encode([stored.inboxSequence + 1]), waiting);
    let drained = 0;
    const deliverMessages = () => {
      drained += 1;
      return Promise.resolve();
    };
    await expect(repartitionFolder(folder, 2, { ...ports, deliverMessages })).rejects.toThrow(
      /^Some messages between partitions could not be delivered/,
    );
    expect([drained, partitionFolders().length]).toEqual([1, 3]);
  });
});

describe('interrupted', () => {
  test('before the manifest names them, the new partitions are left over and go', async () => {
    mkdirSync(join(folder.path, 'partition-0-generation-1'));
    writeFileSync(join(folder.path, 'partition-0-generation-1', 'data.mdb'), 'half of it');
    expect((await checkFolder(folder)).sound).toBe(true);
    await prepareFolder(folder, { partitions: 3, origin: undefined });
    expect(partitionFolders().sort()).toEqual(['partition-0', 'partition-1', 'partition-2']);
  });

  test('after that the old ones are left over and go', async () => {
    await repartitionFolder(folder, 2, ports);
    cpSync(join(parent, 'data', 'partition-2'), join(folder.path, 'partition-2'), { recursive: true });
    await prepareFolder(folder, { partitions: 2, origin: undefined });
    expect(partitionFolders().sort()).toEqual(['partition-0-generation-1', 'partition-1-generation-1']);
  });

  test('what is left over stays while the partitions of the manifest are not whole', async () => {
    await repartitionFolder(folder, 2, ports);
    cpSync(join(parent, 'data', 'partition-2'), join(folder.path, 'partition-2'), { recursive: true });
    rmSync(join(folder.path, 'partition-1-generation-1'), { recursive: true });
    await expect(prepareFolder(folder, { partitions: 2, origin: undefined })).rejects.toThrow(
      /partition-1-generation-1\/data\.mdb is missing/,
    );
    expect(existsSync(join(folder.path, 'partition-2', 'data.mdb'))).toBe(true);
  });
});

test('every answer of a server is what it was before, and it goes on', { timeout: 300_000 }, async () => {
  const dataDirectory = join(parent, 'town');
  const start = { dataDirectory, environment: { MURMURATION_PARTITIONS: '4' } };
  const town = await startTown(start);
  const { server, people, statuses } = town;
  await town.ask(people.bob, 'POST', `/api/v1/statuses/${statuses.public}/bookmark`);
  const environment = { ...process.env, MURMURATION_DATA_DIR: dataDirectory };
  await expect(run(process.execPath, [startFile, 'repartition', '3'], { env: environment })).rejects.toMatchObject({
    stderr: `A server is running on the data folder ${dataDirectory}: stop it first.
`,
  });
  const before = await town.state();
  await server.stop();

  expect(await server.run('repartition', '1')).toBe('Partitions: 1, before: 4.\n');
  const single = await startTestServer({ dataDirectory, port: server.port });
  expect(await town.state()).toEqual(before);
  await single.stop();

  expect(await server.run('repartition', '3')).toBe('Partitions: 3, before: 1.\n');
  const last = await startTestServer({ dataDirectory, port: server.port });
  expect(await town.state()).toEqual(before);
  const posted = await town.ask(people.alice, 'POST', '/api/v1/statuses', { status: 'moved, and writing' });
  const postedId = String(posted.body.id);
  const isAtHome = async () => idsOf(await town.ask(people.bob, 'GET', '/api/v1/timelines/home')).includes(postedId);
  await until(isAtHome, { description: 'the post to come to its follower' });
  expect(await last.stop()).toBe(0);
  await assertSoundFolder(dataDirectory);
});
