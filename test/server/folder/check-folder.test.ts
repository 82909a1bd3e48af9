/** `murmuration check` on the folder of a used server, and on the same folder with one defect. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accountCounters } from '../../../src/actors/account/profile/profile.state.ts';
import {
  followers,
  followersByTime,
  following,
} from '../../../src/actors/account/relationships/relationships.state.ts';
import { replies, statuses, statusesOfAccount } from '../../../src/actors/account/statuses/statuses.state.ts';
import { names } from '../../../src/actors/directory/directory.state.ts';
import { accountNames } from '../../../src/actors/search.state.ts';
import { activity, tokens, tokensOfUser } from '../../../src/actors/session/session.state.ts';
import { lastActive, usageTotals } from '../../../src/actors/usage.state.ts';
import type { AnyKeyspace } from '../../../src/runtime/storage/keyspace.ts';
import { events, identity, inbox, meta } from '../../../src/runtime/storage/machine.ts';
import { checkFolder } from '../../../src/server/folder/check-folder.ts';
import { type DataFolder, openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { folderFormat, readManifest } from '../../../src/server/folder/manifest.ts';
import { append, openPartition } from '../../../src/server/folder/partition-files.ts';
import { prepareFolder } from '../../../src/server/folder/prepare.ts';
import { repartitionFolder } from '../../../src/server/folder/repartition.ts';
import { readerOf } from '../../../src/server/folder/verify.ts';
import { smallDisksMissing } from '../../support/small-disk.ts';

const run = promisify(execFile);
const obstacle = await smallDisksMissing();
if (obstacle !== undefined) console.warn(`A folder that cannot be written is passed over: ${obstacle}`);
const never = () => Promise.reject(new Error('nothing is to be delivered'));
const startFile = join(import.meta.dirname, '../../../src/start.mjs');
const fixture = join(import.meta.dirname, '../../fixtures/folder-of-format-2/folder.tar.gz');
let parent: string;
let whole: string;
let folder: DataFolder;

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-check-'));
  await run('tar', ['-xzf', fixture, '-C', parent]);
  whole = join(parent, 'data');
  await prepareFolder(openDataFolder(whole), { partitions: 3, origin: undefined });
});

beforeEach(() => {
  const path = join(parent, 'copy');
  rmSync(path, { recursive: true, force: true });
  cpSync(whole, path, { recursive: true });
  folder = openDataFolder(path);
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Does something to the first entry of a keyspace, wherever it is. */
async function tamper(
  space: AnyKeyspace,
  change: (value: Uint8Array, key: Uint8Array) => { key?: Uint8Array; value: Uint8Array | undefined },
): Promise<void> {
  for (const number of [0, 1, 2]) {
    const log = openPartition(folder, number);
    const all = [...log.reader.range({ start: Uint8Array.of(0), end: Uint8Array.of(0xff, 0xff, 0xff) })].map(
      ({ key, value }) => ({
        key: Uint8Array.from(key),
        value: Uint8Array.from(value),
      }),
    );
    const found = all.find(({ key }) => key[2] === space.number);
    if (found !== undefined) {
      const { key = found.key, value } = change(found.value, found.key);
      await append(log, { keys: [key], values: [value] });
    }
    await log.close();
    if (found !== undefined) return;
  }
  throw new Error(`there is no entry of ${space.name}`);
}

const any = (space: unknown) => space as AnyKeyspace;

test('a folder that a server has used is sound', async () => {
  const { sound, lines } = await checkFolder(folder);
  expect(lines.at(-1)).toBe('Nothing is wrong.');
  expect(sound).toBe(true);
  const looked = lines
    .map((line) => Number(/: (\d+) entries/.exec(line)?.[1] ?? 0))
    .reduce((sum, count) => sum + count);
  expect(looked).toBeGreaterThan(300);
});

test('copies that an interrupted repartition left are named by a check, and by the start that removes them', async () => {
  const left = ['partition-0-generation-1', 'partition-1-generation-1'];
  for (const name of left) mkdirSync(join(folder.path, name));
  const { sound, lines } = await checkFolder(folder);
  expect(sound).toBe(true);
  const names = 'partition-0-generation-1, partition-1-generation-1';
  expect(lines).toContain(`Left behind by an interrupted repartition, removed by the next start: ${names}.`);
  const told: string[] = [];
  await prepareFolder(folder, { partitions: 3, origin: undefined }, (sentence) => void told.push(sentence));
  expect(told).toEqual([`Removing what an interrupted repartition left behind: ${names}.`]);
  expect((await checkFolder(folder)).lines.join('\n')).not.toContain('interrupted');
});

// because a file system that cannot be written is a mount of one's own, which needs Linux and user namespaces
test.skipIf(obstacle !== undefined)('a backup on a file system that cannot be written is read in place', async () => {
  const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" "$3" check';
  const env = { ...process.env, MURMURATION_DATA_DIR: folder.path };
  const words = ['-rm', 'bash', '-c', script, 'bash', folder.path, process.execPath, startFile];
  const { stdout } = await run('unshare', words, { env });
  expect(stdout).toContain('Nothing is wrong.');
});

test.each<[string, AnyKeyspace, Parameters<typeof tamper>[1], RegExp]>([
  [
    'an index entry is missing',
    any(followersByTime),
    () => ({ value: undefined }),
    /of followers has no entry in followers by time\.$/m,
  ],
  [
    'a record is missing',
    any(followers),
    () => ({ value: undefined }),
    /of followers by time has no entry in followers\.$/m,
  ],
  [
    'a status is missing',
    any(statuses),
    () => ({ value: undefined }),
    /of statuses of account has no entry in statuses\.$/m,
  ],
  [
    'a status is not listed',
    any(statusesOfAccount),
    () => ({ value: undefined }),
    /of statuses has no entry in statuses of account\.$/m,
  ],
  [
    'a counter is wrong',
    any(accountCounters),
    () => ({ value: accountCounters.value.encode({ statuses: 9_999, followers: 1, following: 1 }) }),
    /of account counters says 9999 statuses where there are \d+\.$/m,
  ],
  [
    'a total of the server is wrong',
    any(usageTotals),
    () => ({ value: usageTotals.value.encode({ users: 1, statuses: 9_999, hosts: 0 }) }),
    /The entry 0 of usage totals says 9999 statuses where there are \d+\.$/m,
  ],
  [
    'a day lacks an account that was active on it',
    any(lastActive),
    () => ({ value: lastActive.value.encode(0) }),
    /The entry \d+ of last active says 0 active accounts where there are [12]\.$/m,
  ],
  [
    'nobody knows when an account was active',
    any(activity),
    () => ({ value: undefined }),
    /of last active says [12] active accounts where there are [01]\.$/m,
  ],
  [
    'a reply is missing',
    any(replies),
    () => ({ value: undefined }),
    /of status counters says 1 replies where there are 0\.$/m,
  ],
  [
    'a reply is not known to its parent',
    any(replies),
    () => ({ value: undefined }),
    /of statuses is not among the replies to its parent\.$/m,
  ],
  [
    'a token is missing',
    any(tokens),
    () => ({ value: undefined }),
    /of tokens of user leads to a token that is not there\.$/m,
  ],
  [
    'a token is not listed',
    any(tokensOfUser),
    () => ({ value: undefined }),
    /of tokens is not in the list of its account or application\.$/m,
  ],
  [
    'a name is missing',
    any(names),
    () => ({ value: undefined }),
    /of (profiles|logins) is not found by its (name|handle|e-mail address)\.$/m,
  ],
  [
    'two accounts know different things of a follow',
    any(following),
    (value) => ({ value: following.value.encode({ ...following.value.decode(value), id: 5n }) }),
    /is not known to the (follower|account that asks)\.$/m,
  ],
  [
    'the event log is smaller than it says',
    any(events),
    () => ({ value: undefined }),
    /of meta says \d+ bytes of events where there are \d+\.$/m,
  ],
  [
    'a message will be written over',
    any(meta),
    () => ({ key: inbox.encode([1_000]), value: inbox.value.encode([1, 'x', 1, {}, 'system']) }),
    /of inbox is numbered above the last one\.$/m,
  ],
  [
    'a value cannot be decoded',
    any(statuses),
    () => ({ value: Buffer.from([0xd9, 0xff]) }),
    /of statuses cannot be decoded: /,
  ],
  [
    'a value is not what it should be',
    any(statuses),
    () => ({ value: Buffer.from([0x92, 1, 2]) }),
    /of statuses is not what it should be: id: /,
  ],
  [
    'a value without fields is overwritten',
    any(replies),
    () => ({ value: new Uint8Array(3) }),
    /of replies is not what it should be\.$/m,
  ],
  [
    'a value that says nothing is overwritten',
    any(accountNames),
    () => ({ value: new Uint8Array(1) }),
    /is not what it should be\.$/m,
  ],
  [
    'a key has no keyspace',
    any(statuses),
    (value, key) => ({ key: Uint8Array.from(key).fill(255, 2, 3), value }),
    /The key [0-9a-f]+ belongs to no keyspace\.$/m,
  ],
  [
    'a key is too short',
    any(statuses),
    (value, key) => ({ key: key.slice(0, 7), value }),
    /The key [0-9a-f]+ of statuses has 7 bytes, not 11\.$/m,
  ],
  [
    'a key is in the wrong slot',
    any(statuses),
    (value, key) => ({ key: Uint8Array.from(key).fill(0, 0, 2), value }),
    /The key [0-9a-f]+ of statuses is in slot 0, not \d+\.$/m,
  ],
])('%s', async (_what, space, change, sentence) => {
  await tamper(space, change);
  const { sound, lines } = await checkFolder(folder);
  expect(lines.join('\n')).toMatch(sentence);
  expect(sound).toBe(false);
});

test.each([
  ['check', (of: DataFolder) => checkFolder(of)],
  ['repartition', (of: DataFolder) => repartitionFolder(of, 2, { freeBytes: () => 0, deliverMessages: never })],
] as const)('%s asks for a start where a partition was not migrated', async (_command, run) => {
  const log = openPartition(folder, 1);
  const stored = readerOf(log).get(identity, [0])!;
  const value = identity.value.encode({ ...stored, format: folderFormat - 1 });
  await append(log, { keys: [identity.encode([0])], values: [value] });
  await log.close();
  const sentence = `The data folder ${folder.path} has an earlier format: start the server once, which migrates it.`;
  await expect(run(folder)).rejects.toThrow(sentence);
});

test('a folder that has lost its manifest is damaged, one that was never finished has no data', async () => {
  const manifest = join(folder.path, 'manifest.json');
  writeFileSync(manifest, JSON.stringify({ ...readManifest(folder), epoch: 0 }));
  await expect(checkFolder(folder)).rejects.toThrow(`There is no server's data in the folder ${folder.path}`);
  rmSync(manifest);
  await expect(checkFolder(folder)).rejects.toThrow('is damaged: manifest.json is missing');
});

test('the command prints what is wrong and fails, and changes nothing', async () => {
  const check = (path: string) =>
    run(process.execPath, [startFile, 'check'], { env: { ...process.env, MURMURATION_DATA_DIR: path } });
  const before = readFileSync(join(folder.path, 'manifest.json'), 'utf8');
  expect((await check(folder.path)).stdout).toMatch(/entries looked at\.\nNothing is wrong\.\n$/);
  await tamper(any(followersByTime), () => ({ value: undefined }));
  await expect(check(folder.path)).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/\nWrong: \d+\n$/) });
  expect(readFileSync(join(folder.path, 'manifest.json'), 'utf8')).toBe(before);
});
