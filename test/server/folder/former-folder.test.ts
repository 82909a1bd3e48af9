/** A folder that an earlier version made is brought up to date by a start, and holds what it held. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer } from '../../support/server.ts';

const fixture = join(import.meta.dirname, '../../fixtures/folder-of-format-2');
const tokens = JSON.parse(readFileSync(join(fixture, 'tokens.json'), 'utf8')) as Record<string, string>;
const environment = { MURMURATION_ORIGIN: 'https://social.example' };
let parent: string;
let dataDirectory: string;

beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-former-'));
  dataDirectory = join(parent, 'data');
  await promisify(execFile)('tar', ['-xzf', join(fixture, 'folder.tar.gz'), '-C', parent]);
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

test('a folder of format 2', async () => {
  for (const epoch of [1, 2]) {
    const server = await startTestServer({ dataDirectory, environment });
    const read = async (path: string) =>
      (await (await server.fetch(path, { token: tokens.alice! })).json()) as { type?: string }[];
    expect(await read('/api/v1/timelines/home?limit=40')).toHaveLength(32);
    const [first] = await read('/api/v1/timelines/tag/fediverse');
    expect(first).toMatchObject({ favourites_count: 2, reblogs_count: 1, replies_count: 1 });
    expect((await read('/api/v1/notifications')).map(({ type }) => type).sort()).toEqual(
      ['favourite', 'favourite', 'follow', 'follow', 'mention', 'reblog'].sort(),
    );
    expect(await server.stop()).toBe(0);
    const manifest = JSON.parse(readFileSync(join(dataDirectory, 'manifest.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({ format: 3, epoch, partitions: 3, origin: 'https://social.example' });
  }
});

test('one of format 2 without one of its partitions is refused', async () => {
  rmSync(join(dataDirectory, 'partition-1'), { recursive: true });
  await expect(startTestServer({ dataDirectory, environment })).rejects.toThrow('partition-1/data.mdb is missing');
  expect(JSON.parse(readFileSync(join(dataDirectory, 'manifest.json'), 'utf8'))).toMatchObject({ format: 2 });
});
