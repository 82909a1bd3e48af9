/** The manifest of a data folder, and the errors for one that does not match. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DataFolder, manifestFile, openDataFolder } from '../../../src/server/folder/data-folder.ts';
import {
  assertSameDomain,
  assertSameOrigin,
  assertSamePartitions,
  type FolderManifest,
  folderFormat,
  readManifest,
  writeManifest,
} from '../../../src/server/folder/manifest.ts';

let folder: DataFolder;

beforeEach(() => {
  folder = openDataFolder(mkdtempSync(join(tmpdir(), 'murmuration-manifest-')));
});

afterEach(() => rmSync(folder.path, { recursive: true, force: true }));

const said = { id: 'f00d', epoch: 3, commits: [7, 0], partitions: 2 };

test('a new folder has none', () => {
  expect(readManifest(folder)).toBeUndefined();
});

test('what a folder was made with is remembered', () => {
  writeManifest(folder, { ...said, origin: 'https://social.example' });
  expect(readManifest(folder)).toEqual({
    format: folderFormat,
    minimumReader: folderFormat,
    origin: 'https://social.example',
    ...said,
  });
  expect(readdirSync(folder.path)).toEqual(['manifest.json']);
});

test('a folder in which no server has listened has no origin', () => {
  writeManifest(folder, said);
  expect(readManifest(folder)).toEqual({ format: folderFormat, minimumReader: folderFormat, ...said });
});

test('one of format 2 is read, to be brought up to date', () => {
  writeFileSync(manifestFile(folder), '{"format":2,"partitions":3,"origin":"https://social.example"}');
  expect(readManifest(folder)).toEqual({ format: 2, partitions: 3, origin: 'https://social.example' });
});

test('what a newer version added stays, where that version says that this one may write', () => {
  const newer = { ...said, format: folderFormat + 1, minimumReader: folderFormat, lamps: ['green'] };
  writeFileSync(manifestFile(folder), JSON.stringify(newer));
  const manifest = readManifest(folder) as FolderManifest;
  expect(manifest).toEqual(newer);
  writeManifest(folder, { ...manifest, epoch: 4 });
  expect(readManifest(folder)).toEqual({ ...newer, epoch: 4 });
});

test.each([
  ['that is damaged', '{ "format": 2,', 'damaged'],
  ['of a version that nobody had', '{ "format": 1, "partitions": 4 }', 'another version'],
  ['without partitions', '{ "format": 2, "partitions": 0 }', 'another version'],
  ['without an id', JSON.stringify({ ...said, id: '', format: 4, minimumReader: 4 }), 'another version'],
  [
    'of a version that this one may not follow',
    JSON.stringify({ ...said, format: folderFormat + 2, minimumReader: folderFormat + 1 }),
    `has format ${folderFormat + 2}, which this version cannot read: it reads formats 2 to ${folderFormat}. Start the version that wrote it`,
  ],
])('a manifest %s is refused', (_name, text, sentence) => {
  writeFileSync(manifestFile(folder), text);
  expect(() => readManifest(folder)).toThrow(sentence);
});

test('a folder keeps its origin, and the refusal of another one says how to go on', () => {
  const assert = (known: string | undefined) => () => assertSameOrigin(folder, known, 'https://social.example');
  expect(assert(undefined)).not.toThrow();
  expect(assert('https://social.example')).not.toThrow();
  expect(assert('https://old.example')).toThrow(
    `The accounts in the data folder ${folder.path} belong to https://old.example; other servers would not recognise them as accounts of https://social.example. Start with --origin=https://old.example, or`,
  );
});

test.each([
  ['a new folder', undefined, 'example.org', undefined],
  ['the domain that it has', { origin: 'https://social.example.org', domain: 'example.org' }, 'example.org', undefined],
  ['the host of its origin', { origin: 'https://social.example' }, 'social.example', undefined],
  [
    'another domain',
    { origin: 'https://social.example.org', domain: 'example.org' },
    'social.example.org',
    'example.org',
  ],
  ['a domain too late', { origin: 'https://social.example.org' }, 'example.org', 'social.example.org'],
])('domains: %s', (_name, known, domain, kept) => {
  const assert = expect(() => assertSameDomain(folder, known, domain));
  if (kept === undefined) assert.not.toThrow();
  else
    assert.toThrow(
      `end in @${kept}, not in @${domain}: other servers would not recognise them. Start with --domain=${kept}`,
    );
});

test.each([
  ['a new folder', undefined, 8, undefined],
  ['no wish', 4, 0, undefined],
  ['the number that it has', 4, 4, undefined],
  [
    'another number',
    4,
    8,
    'has 4 partitions, not 8. Start with --partitions=4, or without the option; or stop the server and run: murmuration repartition 8',
  ],
])('partitions: %s', (_name, existing, wanted, sentence) => {
  const assert = () => assertSamePartitions(folder, existing, wanted);
  if (sentence === undefined) expect(assert).not.toThrow();
  else expect(assert).toThrow(sentence);
});
