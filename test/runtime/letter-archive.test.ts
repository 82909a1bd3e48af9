/** The archive file of excess dead letters. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpack } from '../../src/runtime/codec.ts';
import type { StoredLetter } from '../../src/runtime/letters.ts';
import { letterArchiveLimits } from '../../src/runtime/limits.ts';
import type { Problem } from '../../src/runtime/ports.ts';
import { LetterArchive } from '../../src/runtime/storage/letter-archive.ts';

let folder: string;
let path: string;
let archive: LetterArchive;
const problems: Problem[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmuration-letters-'));
  path = join(folder, 'dead-letters-3.jsonl');
  problems.length = 0;
  archive = new LetterArchive({ path, partition: 3, report: (problem) => void problems.push(problem) });
});
afterEach(() => rm(folder, { recursive: true }));

function letter(sequence: number): StoredLetter {
  const body = { id: 2n ** 62n, bytes: Uint8Array.of(1, 2, 255) };
  return { sequence, at: Date.UTC(2026, 10, 22), error: 'over\nthe edge', message: [200, 7n, 2, body, 'account:1'] };
}

test('one line each, readable, with the very bytes of what was stored', async () => {
  await archive.append([letter(1), letter(2)]);
  await archive.append([letter(3)]);
  const lines = (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map((line) => line.letter)).toEqual(['3-1', '3-2', '3-3']);
  const { record, ...readable } = lines[0];
  expect(readable).toEqual({
    letter: '3-1',
    at: '2026-11-22T00:00:00.000Z',
    error: 'over\nthe edge',
    message: [200, '7', 2, { id: '4611686018427387904', bytes: 'AQL/' }, 'account:1'],
  });
  const { sequence: _, ...stored } = letter(1);
  expect(unpack(Buffer.from(record, 'base64'))).toMatchObject({
    ...stored,
    message: [200, 7n, 2, { id: 2n ** 62n }, 'account:1'],
  });
});

test('a full file makes room; above their number the oldest is removed, and that is reported', async () => {
  const { filesMax, fileBytesMax } = letterArchiveLimits;
  for (let file = 0; file <= filesMax; file += 1) {
    await archive.append([letter(file)]);
    await writeFile(path, Buffer.alloc(fileBytesMax, `${file}`));
  }
  expect((await readdir(folder)).sort()).toEqual(
    ['', ...Array.from({ length: filesMax - 1 }, (_, index) => `.${index + 1}`)].map(
      (age) => `dead-letters-3.jsonl${age}`,
    ),
  );
  expect((await readFile(`${path}.${filesMax - 1}`, 'utf8'))[0]).toBe('1');
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/the oldest archive file of dead letters was deleted/),
  ]);
});

test('a file that cannot be written is an error', async () => {
  const lost = new LetterArchive({ path: join(folder, 'nowhere', 'letters'), partition: 3, report: () => undefined });
  await expect(lost.append([letter(1)])).rejects.toMatchObject({ code: 'ENOENT' });
});
