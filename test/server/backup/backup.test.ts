/** Backups of a stopped folder: what they contain, how they are refused, interrupted and damaged. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blobs as blobRecords } from '../../../src/actors/blob/blob.state.ts';
import { instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { secrets } from '../../../src/actors/instance/instance.state.ts';
import { loadOptions } from '../../../src/options/load.ts';
import { S3Bucket } from '../../../src/outbound/s3/s3-bucket.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import type { Keyspace } from '../../../src/runtime/storage/keyspace.ts';
import { identity, meta } from '../../../src/runtime/storage/machine.ts';
import { backUp } from '../../../src/server/backup/backup.ts';
import { BucketPlace } from '../../../src/server/backup/bucket-place.ts';
import { restoreFrom } from '../../../src/server/backup/commands.ts';
import { FolderPlace } from '../../../src/server/backup/folder-place.ts';
import { openToRead } from '../../../src/server/backup/moment.ts';
import { Pace } from '../../../src/server/backup/pace.ts';
import type { Place } from '../../../src/server/backup/place.ts';
import { restore } from '../../../src/server/backup/restore.ts';
import { checkFolder } from '../../../src/server/folder/check-folder.ts';
import {
  type DataFolder,
  findDataFolder,
  openDataFolder,
  openFolderToRestore,
} from '../../../src/server/folder/data-folder.ts';
import { readManifest } from '../../../src/server/folder/manifest.ts';
import { append, openPartition } from '../../../src/server/folder/partition-files.ts';
import { prepareFolder } from '../../../src/server/folder/prepare.ts';
import { readerOf } from '../../../src/server/folder/verify.ts';
import { blobNameOf, namingSecretOf } from '../../../src/services/blobs/blob-names.ts';
import { FolderStore } from '../../../src/services/blobs/folder-store.ts';
import { startS3Server } from '../../support/s3-server.ts';
import { smallDisksMissing } from '../../support/small-disk.ts';

const run = promisify(execFile);
const fixture = join(import.meta.dirname, '../../fixtures/folder-of-format-2/folder.tar.gz');
const startFile = join(import.meta.dirname, '../../../src/start.mjs');
const origin = 'https://here.example';
const began = Date.UTC(2027, 0, 31);
let parent: string;
let data: DataFolder;

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-backup-'));
  await run('tar', ['-xzf', fixture, '-C', parent]);
  data = openDataFolder(join(parent, 'data'));
  await prepareFolder(data, { partitions: 3, origin: undefined });
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

let place: FolderPlace;
let into: string;
beforeEach(() => {
  place = new FolderPlace(mkdtempSync(join(parent, 'place-')));
  into = join(mkdtempSync(join(parent, 'into-')), 'restored');
});

interface Wish {
  readonly at?: number;
  readonly keep?: number;
  readonly place?: Place;
  readonly signal?: AbortSignal;
  readonly blobs?: FolderStore;
}

async function make({
  at = began,
  keep,
  signal,
  blobs = new FolderStore(join(data.path, 'media')),
  ...wish
}: Wish = {}) {
  const opened = openToRead(data, false);
  const pace = new Pace(Number.POSITIVE_INFINITY, signal);
  const input = {
    path: data.path,
    opened,
    place: wish.place ?? place,
    blobs,
    keep,
    pace,
    now: at,
    show: () => undefined,
  };
  try {
    return await backUp(input);
  } finally {
    await opened.close();
  }
}

function take({ from = place as Place, name, configured }: { from?: Place; name?: string; configured?: string } = {}) {
  const folder = openFolderToRestore(into);
  const pace = new Pace(Number.POSITIVE_INFINITY);
  const input = { place: from, name, folder, origin: configured, pace, now: Date.now(), show: () => undefined };
  return restore(input);
}

async function countersOf(folder: DataFolder) {
  const log = openPartition(folder, 1);
  try {
    return { counters: readerOf(log).get(meta, [0])!, itself: readerOf(log).get(identity, [0])! };
  } finally {
    await log.close();
  }
}

describe('a backup of a stopped folder', () => {
  test('is restored to a sound folder that goes on above the old one', async () => {
    writeFileSync(join(data.path, 'poison.json'), '[]\n');
    mkdirSync(join(data.path, 'incoming'), { recursive: true });
    writeFileSync(join(data.path, 'incoming', 'an-upload'), 'bytes');
    const { manifest } = await make();
    expect(manifest.partitions).toHaveLength(3);
    await take();
    const restored = openDataFolder(into);
    expect(await checkFolder(restored)).toMatchObject({ sound: true });
    const [before, after] = [await countersOf(data), await countersOf(restored)];
    expect(after.counters.commit).toBeGreaterThan(before.counters.commit + 1e12);
    expect(after.counters.idMillisecondsMax).toBeGreaterThan(before.counters.idMillisecondsMax);
    expect(after.itself.folder).not.toBe(before.itself.folder);
    expect(readFileSync(join(into, 'poison.json'), 'utf8')).toBe('[]\n');
    expect(readFileSync(join(into, 'incoming', 'an-upload'), 'utf8')).toBe('bytes');
    const stored = readManifest(restored);
    await expect(prepareFolder(restored, { partitions: 3, origin: undefined })).resolves.toMatchObject({
      partitions: 3,
    });
    expect(stored).toMatchObject({ origin: readManifest(data)?.origin });
  });

  test('in a bucket is the same', async () => {
    const server = await startS3Server('backups');
    const bucket = new BucketPlace('s3://backups/here', new S3Bucket(server.options), 'here/');
    await make({ place: bucket });
    await make({ place: bucket, at: began + 1_000, keep: 1 });
    await take({ from: bucket });
    await bucket.close();
    await server.stop();
    expect(await checkFolder(openDataFolder(into))).toMatchObject({ sound: true });
  });
});

describe('media', () => {
  const source = () => new FolderStore(join(parent, 'own-media'));
  beforeEach(() => rmSync(join(parent, 'own-media'), { recursive: true, force: true }));

  /** The folder is of a version that had no secrets yet. */
  const formSecret = 'a secret of the server';
  beforeAll(async () => {
    const keyPair = { publicKeyPem: 'public', privateKeyPem: 'private', createdAt: 0 };
    await put(secrets, [instanceKey], { formSecret, keyPair, vapidPublicKey: 'public', vapidPrivateKey: 'private' });
  });

  async function put<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    key: Key,
    value: Value | undefined,
  ) {
    const log = openPartition(data, evenPlacement(3).partitionOf(space.slotOf(key)));
    await append(log, { keys: [space.encode(key)], values: [value && space.value.encode(value)] });
    await log.close();
  }

  async function store(text: string) {
    const file = join(parent, 'file');
    writeFileSync(file, text);
    const name = await blobNameOf(createReadStream(file), 'image/png', namingSecretOf({ formSecret }));
    await source().put(name, file);
    return name;
  }

  test('are copied once, and what is damaged is not', async () => {
    const name = await store('one');
    expect((await make({ blobs: source() })).copied).toEqual({ files: 1, bytes: 3 });
    expect((await make({ blobs: source(), at: began + 1 })).copied.files).toBe(0);
    const second = await store('second');
    writeFileSync(join(parent, 'own-media', second.slice(0, 2), second.slice(2, 4), second), 'other!');
    expect((await make({ blobs: source(), at: began + 2 })).copied.files).toBe(0);
    expect(existsSync(join(place.name, 'media', name.slice(0, 2), name))).toBe(true);
  });

  test('come back with the folder, unless they are damaged', async () => {
    const name = await store('a picture');
    await put(blobRecords, [name], { name, bytes: 9, awaitedUntil: 0 });
    const missing = `${'m'.repeat(43)}.png`;
    await put(blobRecords, [missing], { name: missing, bytes: 9, awaitedUntil: 0 });
    const { manifest } = await make({ blobs: source() });
    for (const planted of [name, missing]) await put(blobRecords, [planted], undefined);
    expect(manifest.media).toMatchObject({ files: 1, bytes: 9, missing: 1 });
    await take();
    expect(await new FolderStore(join(into, 'media')).has(name)).toBe(true);
    rmSync(into, { recursive: true });
    writeFileSync(join(place.name, 'media', name.slice(0, 2), name), 'a pictura');
    await expect(take()).rejects.toThrow(/is damaged: media\/.*\.png is missing, cut off, or not what was written\.$/);
    expect(existsSync(into)).toBe(false);
  });

  test('that no kept backup needs go with the last that did', async () => {
    const name = await store('gone soon');
    await make({ blobs: source() });
    const { removed } = await make({ blobs: source(), at: began + 1, keep: 1 });
    expect(removed).toEqual(['2027-01-31T00-00-00-000Z']);
    // Nothing in the database refers to it.
    expect(existsSync(join(place.name, 'media', name.slice(0, 2), name))).toBe(false);
    expect(readdirSync(join(place.name, 'backups'))).toEqual(['2027-01-31T00-00-00-001Z']);
  });
});

const manifestFile = () => join(place.name, 'backups/2027-01-31T00-00-00-000Z/backup.json');
const partFile = () => join(place.name, 'backups/2027-01-31T00-00-00-000Z/partition-1/0');

function changeManifest(change: object): void {
  const manifest = JSON.parse(readFileSync(manifestFile(), 'utf8'));
  writeFileSync(manifestFile(), JSON.stringify({ ...manifest, ...change }));
}

describe('a restore is refused in a sentence, and leaves nothing', () => {
  test.each<[string, RegExp, () => void]>([
    ['an empty place', /^There is no backup in /, () => rmSync(join(place.name, 'backups'), { recursive: true })],
    ['one that was not finished', /^There is no backup in /, () => rmSync(manifestFile())],
    [
      'a cut manifest',
      /is damaged: .*backup\.json is missing, cut off/,
      () => writeFileSync(manifestFile(), '{"format":'),
    ],
    [
      'a layout of the future',
      /made by a newer version, with format 2: this one reads format 1\.$/,
      () => changeManifest({ format: 2 }),
    ],
    [
      'a data folder of the future',
      /is of a data folder of format 99, and this version reads formats up to \d+: restore it with the version/,
      () => changeManifest({ folder: { format: 99, minimumReader: 99, epoch: 1 } }),
    ],
    ['a lost part', /is damaged: .*partition-1\/0 is missing/, () => rmSync(partFile())],
    [
      'a cut part',
      /is damaged: .*partition-1\/0 is missing, cut off/,
      () => writeFileSync(partFile(), readFileSync(partFile()).subarray(0, 100)),
    ],
    [
      'a changed byte',
      /is damaged: .*partition-1\/0/,
      () => {
        const bytes = readFileSync(partFile());
        bytes[50]! ^= 1;
        writeFileSync(partFile(), bytes);
      },
    ],
    [
      'a path out of the folder',
      /is damaged: .*x\.json/,
      () => changeManifest({ files: [{ file: 'files/../../x.json', bytes: 1, sha256: '' }] }),
    ],
    [
      'a moment that is to come',
      /^The clock of this machine is before the backup/,
      () => changeManifest({ at: Date.now() + 1e9 }),
    ],
  ])('%s', async (_, sentence, change) => {
    await make();
    change();
    await expect(take()).rejects.toThrow(sentence);
    expect(existsSync(into)).toBe(false);
  });

  test('a folder that is not empty', async () => {
    await make();
    mkdirSync(into);
    writeFileSync(join(into, 'letter.txt'), 'mine');
    expect(() => openFolderToRestore(into)).toThrow(/is not empty: there is letter\.txt\./);
    expect(() => openFolderToRestore(data.path)).toThrow(/is not empty: there is /);
    expect(readFileSync(join(into, 'letter.txt'), 'utf8')).toBe('mine');
  });

  test('one of another server, unless its origin is said', async () => {
    await make();
    changeManifest({ origin });
    await expect(take({ configured: 'https://other.example' })).rejects.toThrow(
      /is of https:\/\/here\.example, and the configuration says https:\/\/other\.example\. .* --origin https:\/\/here\.example$/,
    );
    await expect(take({ configured: origin })).resolves.toBeDefined();
  });
});

test('an interrupted backup is none, and the next removes what it left', async () => {
  await make();
  const stop = new AbortController();
  const interrupted = make({ at: began + 1, signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(interrupted).rejects.toThrow('enough');
  rmSync(manifestFile());
  await make({ at: began + 2 });
  expect(readdirSync(join(place.name, 'backups'))).toEqual(['2027-01-31T00-00-00-002Z']);
});

test('an interrupted restore is no folder of a server, and is begun anew', async () => {
  await make();
  mkdirSync(join(into, 'partition-0'), { recursive: true });
  writeFileSync(join(into, 'restore.unfinished'), '');
  for (const open of [openDataFolder, findDataFolder])
    expect(() => open(into)).toThrow(/not all of it is there: run murmuration restore again, which begins anew\.$/);
  await take();
  expect(existsSync(join(into, 'restore.unfinished'))).toBe(false);
  expect(await checkFolder(openDataFolder(into))).toMatchObject({ sound: true });
});

test('a restore that waited for another one does not remove what that has brought', async () => {
  await make();
  mkdirSync(into);
  writeFileSync(join(into, 'restore.unfinished'), '');
  const { lockFolder } = await import('../../../src/server/folder/folder-lock.ts');
  const lock = await lockFolder(join(into, 'lock.sock'));
  const options = loadOptions({ environment: {}, configurationFolder: parent });
  const told = { show: () => undefined, complain: () => undefined, signal: new AbortController().signal };
  const second = restoreFrom(place.name, into, {}, { options, ...told });
  const refused = expect(second).rejects.toThrow(/is not empty: there is manifest\.json\./);
  rmSync(join(into, 'restore.unfinished'));
  writeFileSync(join(into, 'manifest.json'), 'of the first');
  await lock!.release();
  await refused;
  expect(readFileSync(join(into, 'manifest.json'), 'utf8')).toBe('of the first');
});

const noDisks = await smallDisksMissing();
// because a small file system needs Linux and user namespaces
test.skipIf(noDisks !== undefined)(
  `a full disk ends both with a sentence${noDisks === undefined ? '' : ` (skipped: ${noDisks})`}`,
  async () => {
    await make();
    const disk = join(parent, 'disk');
    mkdirSync(disk, { recursive: true });
    const command = async (words: string, size: string) => {
      const script = `mount -t tmpfs -o size=${size} none ${disk} && ${process.execPath} ${startFile} ${words}; code=$?; find ${disk} -type f | grep -c -e backup.json -e manifest.json -e unfinished; exit $code`;
      const env = { ...process.env, MURMURATION_DATA_DIR: data.path, NODE_ENV: 'test' };
      return run('unshare', ['-rm', 'sh', '-c', script], { env }).then(
        () => ({ code: 0, stdout: '', stderr: '' }),
        ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
      );
    };
    const backup = await command(`backup ${disk}/backups`, '16k');
    expect(backup).toMatchObject({ code: 1, stdout: '0\n' });
    expect(backup.stderr).toMatch(/^The backups in .* cannot be read or written: ENOSPC: .*\.\n$/);
    const files = readdirSync(place.name, { recursive: true, withFileTypes: true });
    const blocks = files.map((one) =>
      one.isFile() ? Math.ceil(statSync(join(one.parentPath, one.name)).size / 4_096) : 0,
    );
    const half = Math.ceil(blocks.reduce((sum, count) => sum + count, 0) * 1.5) * 4;
    // In the middle of the second one: the first stays, and with room the next one is whole.
    const again = `${process.execPath} ${startFile} backup ${disk}/backups`;
    const more = `mount -o remount,size=64m ${disk} && ${again} --json | tail -n 1 >&2 && exit 3`;
    const middle = await command(
      `backup ${disk}/backups && ! ${again} && [ $(find ${disk} -name backup.json | wc -l) = 1 ] && ${more}`,
      `${half}k`,
    );
    expect(middle).toMatchObject({ code: 3 });
    expect(middle.stderr).toMatch(/ENOSPC/);
    const restored = await command(`restore ${place.name} ${disk}/data`, '256k');
    expect(restored).toMatchObject({ code: 1, stdout: '0\n' });
    expect(restored.stderr).toMatch(/^The folder .*cannot be written: .*\n$/);
  },
);

test('another backup of the same folder is refused meanwhile', async () => {
  cpSync(data.path, into, { recursive: true });
  const { lockFolder } = await import('../../../src/server/folder/folder-lock.ts');
  const lock = await lockFolder(join(into, 'backup.sock'));
  const env = { ...process.env, MURMURATION_DATA_DIR: into };
  await expect(run(process.execPath, [startFile, 'backup', place.name], { env })).rejects.toMatchObject({
    stderr: expect.stringMatching(/^A backup of the data folder .* is being made already\.\n$/),
  });
  await lock!.release();
});
