/** `murmuration check` compares the media in the data folder with what the server knows of them. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { uploadedPicture } from '../../support/upload.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'murmuration-check-'));
let server: RunningServer;
/** The file of a picture that is attached to nothing. */
let file: string;

beforeAll(async () => {
  server = await startTestServer({ dataDirectory });
  const alice = await server.createUser('alice');
  const url = await uploadedPicture(server, alice);
  const name = url.slice(url.lastIndexOf('/') + 1);
  file = join(dataDirectory, 'media', name.slice(0, 2), name.slice(2, 4), name);
  await server.stop();
});

afterAll(() => rmSync(dataDirectory, { recursive: true }));

test('what is there is sound', async () => {
  expect(await server.run('check')).toContain('Nothing is wrong.');
});

test('a file without anything that refers to it is named, and is no damage', async () => {
  const other = file.replace(/[^/]{43}\.png$/, `${'a'.repeat(43)}.png`);
  writeFileSync(other, 'x');
  const said = await server.run('check');
  expect(said).toContain(`nothing refers to 1 files, such as ${'a'.repeat(43)}.png`);
  expect(said).toContain('Nothing is wrong.');
  rmSync(other);
});

test('a missing file is damage', async () => {
  renameSync(file, `${file}.part`);
  await expect(server.run('check')).rejects.toThrow(/media: .{43}\.png is missing\.[\s\S]*Wrong: 1/);
  renameSync(`${file}.part`, file);
});
