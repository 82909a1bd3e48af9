/** Media of a cluster are where every node reaches them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assertMediaMoved, assertMediaShared, assertSameMedia } from '../../../src/server/cluster/shared-media.ts';

let parent: string;
let known: string | undefined;
const register = {
  mediaMark: async () => known,
  async markMedia(mark: string) {
    known ??= mark;
    return known;
  },
};

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-shared-'));
  known = undefined;
});
afterEach(() => rmSync(parent, { recursive: true }));

function folder(name: string) {
  const mediaFolder = join(parent, name);
  mkdirSync(mediaFolder);
  return { mediaFolder, mediaS3Endpoint: undefined };
}

const refusal = 'is not the one in which this cluster keeps its media. Is it mounted?';

test('media in the data folder, and a folder that is not there, are refused', () => {
  const nowhere = { mediaFolder: undefined, mediaS3Endpoint: undefined };
  expect(() => assertMediaShared(nowhere)).toThrow('In a cluster every node must reach the media');
  const gone = { ...nowhere, mediaFolder: join(parent, 'gone') };
  expect(() => assertMediaShared(gone)).toThrow(`The folder of media ${parent}/gone does not exist.`);
  expect(() => assertMediaShared({ ...gone, mediaS3Endpoint: 'https://s3.example' })).not.toThrow();
});

test('a folder is taken where it is the one of the other nodes', async () => {
  const shared = folder('shared');
  await assertSameMedia(register, shared);
  await assertSameMedia(register, shared);
  const other = folder('other');
  await expect(assertSameMedia(register, other)).rejects.toThrow(`The folder ${other.mediaFolder} ${refusal}`);
  // Nothing was written into it: the next one may be mounted there.
  expect(readdirSync(other.mediaFolder)).toEqual([]);
  writeFileSync(
    join(other.mediaFolder, '.murmuration-cluster'),
    readFileSync(`${shared.mediaFolder}/.murmuration-cluster`),
  );
  await assertSameMedia(register, other);
});

test('of two nodes that begin at once with folders of their own one is refused', async () => {
  const both = [folder('one'), folder('other')];
  const late = { ...register, mediaMark: async () => undefined };
  await assertSameMedia(late, both[0]!);
  await expect(assertSameMedia(late, both[1]!)).rejects.toThrow(refusal);
  await expect(assertSameMedia(register, both[1]!)).rejects.toThrow(refusal);
  await assertSameMedia(register, both[0]!);
});

test('a bucket is the same for all nodes', async () => {
  await assertSameMedia(register, { mediaFolder: undefined, mediaS3Endpoint: 'https://s3.example' });
  expect(known).toBeUndefined();
});

test('media that are still in the data folder are to be moved first', async () => {
  await assertMediaMoved(parent);
  mkdirSync(join(parent, 'media/unfinished'), { recursive: true });
  await assertMediaMoved(parent);
  const name = `${'a'.repeat(43)}.png`;
  mkdirSync(join(parent, 'media/aa/aa'), { recursive: true });
  writeFileSync(join(parent, 'media/aa/aa', name), 'a picture');
  await expect(assertMediaMoved(parent)).rejects.toThrow(
    `The folder ${parent}/media has media that other nodes would not reach, such as ${name}: start the server without MURMURATION_CLUSTER, run murmuration media move, and stop it again.`,
  );
});
