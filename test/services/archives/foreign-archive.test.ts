/** Archives of strangers: what is in them, and which are refused. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { Failure } from '../../../src/runtime/errors.ts';
import { foreignEntries } from '../../../src/services/archives/foreign-archive.ts';
import { type ZipEntry, zipOf } from '../../support/zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'murmuration-foreign-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function entriesIn(bytes: Buffer): Promise<Record<string, string>> {
  const path = join(folder, 'archive');
  writeFileSync(path, bytes);
  const found: Record<string, string> = {};
  for await (const entry of foreignEntries(path)) {
    const pieces: Buffer[] = [];
    for await (const piece of entry.content()) pieces.push(piece);
    found[entry.path] = Buffer.concat(pieces).toString();
  }
  return found;
}

const name = `${'deep/'.repeat(30)}a long name.json`;
const files = { 'outbox.json': '{}', [name]: 'x'.repeat(700_000) };

function tarOf(...options: readonly string[]): Buffer {
  const place = mkdtempSync(join(folder, 'tree-'));
  mkdirSync(join(place, 'deep/'.repeat(30)), { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(join(place, path), content);
  symlinkSync('/etc/passwd', join(place, 'link'));
  const what = options.includes('--with-link') ? ['outbox.json', 'link'] : ['outbox.json', 'deep'];
  const given = options.filter((option) => option !== '--with-link');
  return execFileSync('tar', ['-c', ...given, '-f', '-', '-C', place, ...what], { maxBuffer: 10_000_000 });
}

const zip = (...entries: ZipEntry[]) => zipOf(entries);
const sound: ZipEntry = { name: 'outbox.json', content: 'some text '.repeat(50) };
const refusal = (bytes: Buffer) =>
  entriesIn(bytes).then(
    () => 'taken',
    ({ code, reason }) => `${code} ${reason}`,
  );

test.each(['--format=gnu', '--format=pax', '--format=gnu -z', '--format=pax -z'])('tar %s', async (options) => {
  const found = await entriesIn(tarOf(...options.split(' ')));
  expect(found).toMatchObject(files);
  expect(Object.keys(found).every((path) => path in files || path.endsWith('/'))).toBe(true);
});

test('whoever reads is told of all that comes out, also of what only describes entries, and may end it', async () => {
  const path = join(folder, 'counted');
  const read = async (bytes: Buffer, unpacked: (bytes: number) => void) => {
    writeFileSync(path, bytes);
    for await (const entry of foreignEntries(path, unpacked)) for await (const _piece of entry.content());
  };
  const packed = tarOf('--format=pax', '-z');
  for (const [bytes, least] of [
    [packed, gunzipSync(packed).length - 20 * 512],
    [zip(sound), sound.content.length],
  ] as const) {
    let count = 0;
    await read(bytes, (more) => {
      count += more;
    });
    expect(count).toBeGreaterThanOrEqual(least);
    const stop = new Failure('conflict');
    const ended = read(bytes, () => {
      throw stop;
    });
    await expect(ended).rejects.toBe(stop);
  }
});

test('zip, with folders and names of several bytes', async () => {
  const entries = [sound, { name: 'Ordner/', content: '' }, { name: 'Ordner/über.txt', content: 'ü' }];
  expect(await entriesIn(zipOf(entries))).toEqual({
    'outbox.json': sound.content,
    'Ordner/': '',
    'Ordner/über.txt': 'ü',
  });
});

test('what is no archive', async () => {
  for (const bytes of ['', '{"type":"OrderedCollection"}', 'PK', '\u001f\u001f'.repeat(300)])
    expect(await refusal(Buffer.from(bytes, 'latin1'))).toBe('validation archiveUnknown');
});

test('whatever part of it has arrived, or is damaged, it is refused and not read as a smaller one', async () => {
  const whole = zip(sound, { name: 'actor.json', content: 'more text '.repeat(50) });
  const packed = tarOf('--format=gnu', '-z');
  const plain = gunzipSync(packed);
  for (const cut of [40, 0.3, 0.9]) {
    expect(await refusal(whole.subarray(0, cut < 1 ? whole.length * cut : cut))).toBe('validation archiveBroken');
    expect(await refusal(packed.subarray(0, cut < 1 ? packed.length * cut : cut))).toBe('validation archiveBroken');
  }
  // Within the last file, not within the filling behind it.
  expect(await refusal(plain.subarray(0, plain.length / 2))).toBe('validation archiveBroken');
  expect(await refusal(zip({ ...sound, checksum: 1 }))).toBe('validation archiveBroken');
  const [other, header] = [Buffer.from(packed), Buffer.from(plain)];
  other[other.length >> 1]! ^= 0xff;
  header[10]! ^= 0xff;
  expect(await refusal(other)).toBe('validation archiveBroken');
  expect(await refusal(header)).toBe('validation archiveBroken');
});

test('encrypted ones, links, and names that lead elsewhere', async () => {
  expect(await refusal(zip({ ...sound, isEncrypted: true }))).toBe('validation archiveEncrypted');
  expect(await refusal(zip(sound, { name: 'link', content: '/etc/passwd', mode: 0o120777 }))).toBe(
    'validation archiveUnsafe',
  );
  for (const path of ['../outbox.json', 'media/../../x', '/etc/passwd', 'C:\\x', '..\\x'])
    expect(await refusal(zip({ ...sound, name: path }))).toBe('validation archiveUnsafe');
  expect(await refusal(tarOf('--with-link'))).toBe('validation archiveUnsafe');
  const climbing = ['--with-link', '--exclude=link', '-P', '--transform=s,^,../,'];
  expect(await refusal(tarOf(...climbing))).toBe('validation archiveUnsafe');
});
