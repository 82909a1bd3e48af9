/** Archives of strangers: bounded, refused in a sentence, ended early, and nothing of them stays behind. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { readArchive } from '../../src/actors/account/imports/imports.effects.ts';
import { allRowsOf, importsOf } from '../../src/actors/account/imports/imports.queries.ts';
import { folderOfImport } from '../../src/actors/account/imports/imports.records.ts';
import { cancelImport } from '../../src/operations/imports/import-list.ts';
import { admitArchive } from '../../src/operations/imports/import-posts.ts';
import { postsRunners } from '../../src/operations/imports/posts/posts-runners.ts';
import { removeAbandoned } from '../../src/operations/media/abandoned-files.ts';
import { zipOf } from '../support/zip.ts';
import { ArchiveBed, archive, create, note, old } from './archive-bed.ts';

let bed: ArchiveBed;
beforeEach(() => {
  bed = new ArchiveBed();
});

test.each([
  [
    'of another account',
    () => archive([create(note(1))], [], { id: 'https://old.example/users/mallory' }),
    'archiveOfOther',
  ],
  ['without an outbox', () => zipOf([{ name: 'actor.json', content: '{}' }]), 'archiveWithoutPosts'],
  [
    'with another outbox',
    () => zipOf(['actor.json', 'outbox.json'].map((name) => ({ name, content: '[1]' }))),
    'archiveWithoutPosts',
  ],
  [
    'with an outbox that ends early',
    () =>
      zipOf([
        { name: 'actor.json', content: '{}' },
        { name: 'outbox.json', content: '{"orderedItems":[{' },
      ]),
    'archiveBroken',
  ],
  ['that is cut', () => archive([create(note(1))]).subarray(0, 300), 'archiveBroken'],
  [
    'that grows without end',
    () => archive([create(note(1))], [{ name: 'media_attachments/x', content: Buffer.alloc(70_000_000) }]),
    'archiveTooLarge',
  ],
])('an archive %s changes nothing, and one sentence says why', async (_what, bytes, problem) => {
  expect(await bed.imported(bytes())).toEqual([]);
  expect(bed.latest()).toMatchObject({ problem, done: 0, failed: 0, endedAt: expect.any(Number) });
  expect(bed.status(1)).toBeUndefined();
});

test('what is no archive, or too large, is refused at once', async () => {
  await expect(bed.begin('Account address\n')).rejects.toMatchObject({ code: 'validation', reason: 'archiveUnknown' });
  Object.assign(bed.services.options, { importBytes: 100 });
  await expect(bed.begin(archive([create(note(1))]))).rejects.toMatchObject({ reason: 'archiveTooLarge' });
  const { caller } = bed.callers.as(bed.alice);
  const assertSize = admitArchive(bed.services, caller);
  for (const fine of [1_000, Number.NaN]) assertSize(fine);
  expect(() => assertSize(2_000_000)).toThrow(expect.objectContaining({ reason: 'archiveTooLarge' }));
  expect(importsOf(bed.read(), bed.alice.id)).toEqual([]);
});

test('an archive that is sent and given up counts, and none is received while an import runs', async () => {
  const { caller } = bed.callers.as(bed.alice);
  const counted: string[] = [];
  const limits = { ...caller.limits, take: (name: string) => void counted.push(name) };
  admitArchive(bed.services, { ...caller, limits });
  expect(counted).toEqual(['archives']);
  await bed.begin(archive([create(note(1))]));
  expect(() => admitArchive(bed.services, caller)).toThrow(
    expect.objectContaining({ code: 'conflict', reason: 'importRuns' }),
  );
});

test('what describes the entries of a tar file counts as what comes out of it', async () => {
  const place = mkdtempSync(join(bed.folder, 'tree-'));
  for (const name of ['actor.json', 'outbox.json']) writeFileSync(join(place, name), '{}');
  const described = { maxBuffer: 200_000_000, cwd: place };
  // A long comment before each of many names of one small file.
  const comment = `--pax-option=comment:=${'x'.repeat(60_000)}`;
  const names = Array.from({ length: 1_200 }, () => 'actor.json');
  const given = ['-c', '-z', '--format=pax', '--hard-dereference', comment, '-f', '-', 'outbox.json', ...names];
  const bytes = execFileSync('tar', given, described);
  expect(bytes.length).toBeLessThan(1_000_000);
  expect(await bed.imported(bytes)).toEqual([]);
  expect(bed.latest()).toMatchObject({ problem: 'archiveTooLarge' });
});

test('bookmarks in an archive become an import of their own', async () => {
  const kept = await bed.callers.people.receive(
    bed.callers.people.remote('rita', 'there.test'),
    'https://there.test/1',
  );
  const addresses = ['https://there.test/1', 'no address', { id: 'https://gone.test/2' }, 'https://there.test/1', 7];
  const list = JSON.stringify({ id: 'bookmarks.json', type: 'OrderedCollection', orderedItems: addresses });
  await bed.begin(archive([create(note(1))], [{ name: 'bookmarks.json', content: list }]));
  await bed.run();
  const [bookmarks, posts] = importsOf(bed.read(), bed.alice.id);
  expect(posts).toMatchObject({ list: 'posts', done: 1, endedAt: expect.any(Number) });
  expect(bookmarks).toMatchObject({ list: 'bookmarks', overwrites: false, rows: 2, endedAt: undefined });
  const rows = Array.from(allRowsOf(bed.read(), bed.alice.id, bookmarks!.id), ({ line, values }) => [line, ...values]);
  expect(rows).toEqual([
    [1, 'https://there.test/1'],
    [2, 'https://gone.test/2'],
  ]);
  expect(kept.id).toBeTypeOf('bigint');
  bed.callers.people.expectSound();
  // Those of a list that is no list do not hold up the posts.
  await cancelImport(bed.callers.as(bed.alice), { importId: bookmarks!.id });
  await bed.begin(archive([create(note(2))], [{ name: 'bookmarks.json', content: '{"orderedItems":["' }]));
  await bed.run();
  expect(bed.latest()).toMatchObject({ list: 'posts', done: 1, problem: undefined });
});

test('one that is cancelled is not unpacked to its end', async () => {
  await bed.begin(archive([create(note(1))], [{ name: 'media_attachments/a', content: 'x'.repeat(1_000_000) }]));
  let time = 0;
  const { id: importId } = bed.latest();
  Object.assign(bed.services, {
    monotonic() {
      time += 1_000;
      if (time === 3_000) bed.callers.people.server.callNow(Account.cancelImport.to(bed.alice.id, { importId }));
      return time;
    },
  });
  const runners = new Map(postsRunners(bed.services));
  expect(await runners.get(readArchive.number)!({ accountId: bed.alice.id, importId })).toEqual({ importId });
  expect(existsSync(join(bed.folder, 'incoming', folderOfImport(importId), 'complete'))).toBe(false);
  await bed.run();
  expect([bed.latest().isCancelled, bed.left()]).toEqual([true, []]);
});

test('one that is cancelled in the middle keeps what was taken over, and says how much', async () => {
  const items = Array.from({ length: 250 }, (_none, index) =>
    create(
      note(1, { id: `${old}/statuses/${index}`, published: new Date(Date.UTC(2019, 0, 1 + index)).toISOString() }),
    ),
  );
  await bed.begin(archive(items));
  const { id: importId } = bed.latest();
  let taken = 0;
  await bed.run(async () => {
    const { done, endedAt } = bed.latest();
    if (done === 0 || endedAt !== undefined) return;
    taken = done;
    await cancelImport(bed.callers.as(bed.alice), { importId });
  });
  expect([taken > 0 && taken < 250, bed.left()]).toEqual([true, []]);
  expect(bed.latest()).toMatchObject({ isCancelled: true, rows: 250, done: taken, failed: 0 });
  const there = items.filter((_item, index) => bed.status(index) !== undefined);
  expect(there).toHaveLength(taken);
  bed.callers.people.expectSound();
  // The same archive again takes over the rest.
  expect(await bed.imported(archive(items))).toEqual([]);
  expect(items.every((_item, index) => bed.status(index) !== undefined)).toBe(true);
});

test('at a start, what nothing leads to goes', async () => {
  const { incoming } = bed.services;
  await bed.begin(archive([create(note(1))]));
  const [file] = bed.left();
  const uploaded = await incoming.write(Buffer.from('picture'));
  const upload = { file: uploaded };
  await bed.callers.people.server.call(Account.uploadMedia.to(bed.alice.id, { description: '', upload }));
  await incoming.write(Buffer.from('of a process that was killed'));
  for (const name of ['import-7', folderOfImport(bed.latest().id), 'archive-7', '7.decoded'])
    mkdirSync(join(bed.folder, 'incoming', name));
  await removeAbandoned(bed.services, 0);
  expect(bed.left()).toHaveLength(7);
  await removeAbandoned(bed.services, Number.POSITIVE_INFINITY);
  expect(bed.left().sort()).toEqual([file, uploaded, folderOfImport(bed.latest().id)].sort());
});

test('one that is cancelled, or whose account is disabled, leaves no files', async () => {
  await bed.begin(archive([create(note(1))]));
  await expect(bed.begin(archive([]))).rejects.toMatchObject({ code: 'conflict', reason: 'importRuns' });
  const { id: importId } = bed.latest();
  // While it was being unpacked.
  mkdirSync(join(bed.folder, 'incoming', folderOfImport(importId)));
  await cancelImport(bed.callers.as(bed.alice), { importId });
  await bed.run();
  expect([bed.latest().isCancelled, bed.left(), bed.status(1)]).toEqual([true, [], undefined]);
  await bed.begin(archive([create(note(1))]));
  bed.callers.people.server.callNow(Account.changeLogin.to(bed.alice.id, { disabled: true }));
  await bed.run();
  expect([bed.latest().isCancelled, bed.left(), bed.status(1)]).toEqual([true, [], undefined]);
  bed.callers.people.expectSound();
});

test('one that is forgotten with its account while it runs leaves no files', async () => {
  await bed.begin(archive([create(note(1))]));
  const { id: importId } = bed.latest();
  mkdirSync(join(bed.folder, 'incoming', folderOfImport(importId)));
  bed.callers.people.server.send(Account.importDue.to(bed.alice.id, { importId }));
  bed.callers.people.server.settle();
  await bed.run();
  expect([importsOf(bed.read(), bed.alice.id), bed.left(), bed.status(1)]).toEqual([[], [], undefined]);
});

test('what was unpacked is made again where it is lost, and without the archive it ends', async () => {
  const items = Array.from({ length: 250 }, (_none, index) =>
    create(
      note(1, { id: `${old}/statuses/${index}`, published: new Date(Date.UTC(2019, 0, 1 + index)).toISOString() }),
    ),
  );
  const bytes = archive(items);
  await bed.begin(bytes);
  const lost = () =>
    rmSync(join(bed.folder, 'incoming', folderOfImport(bed.latest().id)), { recursive: true, force: true });
  expect(await bed.run(lost)).toBe(4);
  expect(bed.latest()).toMatchObject({ rows: 250, done: 250 });
  await bed.begin(archive([create(note(9, { id: `${old}/statuses/900` }))]));
  await bed.run(() => rmSync(join(bed.folder, 'incoming'), { recursive: true, force: true }));
  expect(bed.latest()).toMatchObject({ problem: 'archiveLost', done: 0 });
});
