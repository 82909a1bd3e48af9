/** Posts of an archive of another server: stored with their dates, once, and nobody is told. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { importPosts as importEffect, readArchive } from '../../src/actors/account/imports/imports.effects.ts';
import {
  allRowsOf,
  failedRowsAfter,
  failedRowsOf,
  importedStatusId,
  importsOf,
} from '../../src/actors/account/imports/imports.queries.ts';
import { folderOfImport } from '../../src/actors/account/imports/imports.records.ts';
import { importLimits } from '../../src/actors/account/imports/limits.ts';
import { removeUploadedFiles } from '../../src/actors/account/media/media.effects.ts';
import { tallyOf } from '../../src/actors/account/polls/polls.queries.ts';
import { findStatusRecord } from '../../src/actors/account/remote/federation.queries.ts';
import { statusImported, statusPublished } from '../../src/actors/account/statuses/statuses.events.ts';
import { countersOf } from '../../src/actors/account/statuses/statuses.queries.ts';
import { cancelImport } from '../../src/operations/imports/import-list.ts';
import { admitArchive, importPosts } from '../../src/operations/imports/import-posts.ts';
import { postsRunners } from '../../src/operations/imports/posts/posts-runners.ts';
import { removeAbandoned } from '../../src/operations/media/abandoned-files.ts';
import { mediaRunners } from '../../src/operations/media/media-runners.ts';
import { timeOfId } from '../../src/runtime/ids.ts';
import type { Pool } from '../../src/runtime/pool.ts';
import { FolderStore } from '../../src/services/blobs/folder-store.ts';
import { IncomingFiles } from '../../src/services/media/incoming-files.ts';
import type { NetworkServices } from '../../src/services/network-services.ts';
import type { Person } from '../support/observer.ts';
import { only } from '../support/only.ts';
import { type ZipEntry, zipOf } from '../support/zip.ts';
import { Callers } from './callers.ts';

const old = 'https://old.example/users/alice';
const everybody = 'https://www.w3.org/ns/activitystreams#Public';
const toAll = { to: [everybody], cc: [`${old}/followers`] };
const day = 24 * 60 * 60 * 1_000;

let callers: Callers;
let alice: Person;
let bob: Person;
let folder: string;
let services: NetworkServices;

/** Tasks run here: what they decode is what a server decodes. */
const pool = only<Pool>('pool', {
  run: async <Result>(file: URL, name: string, input: unknown) =>
    ((await import(file.href)) as Record<string, (given: unknown) => Promise<Result>>)[name]!(input),
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-posts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  callers = new Callers();
  const { people } = callers;
  alice = people.local('alice');
  bob = people.local('bob');
  const former = people.remote('alice', 'old.example');
  people.server.callNow(Account.changeAliases.to(alice.id, { aliasIds: [former.id] }));
  services = Object.assign(callers.services as NetworkServices, {
    blobs: new FolderStore(join(folder, 'blobs')),
    incoming: new IncomingFiles(join(folder, 'incoming')),
    mediaPool: pool,
    filmPool: pool,
  });
});

const read = () => callers.people.server.read;
const latest = () => importsOf(read(), alice.id)[0]!;
const failures = () =>
  Array.from(failedRowsOf(read(), alice.id, latest().id), ({ line, result }) => `${line} ${result}`);
const left = () => readdirSync(join(folder, 'incoming'));

interface Note {
  readonly [key: string]: unknown;
}

const note = (id: number, given: Note = {}): Note => ({
  ...{ id: `${old}/statuses/${id}`, type: 'Note', attributedTo: old, inReplyTo: null, sensitive: false, summary: null },
  ...{ published: `2019-05-0${id}T10:00:00Z`, content: `<p>Post ${id}</p>`, ...toAll, tag: [], attachment: [] },
  ...given,
});
const create = (object: Note): Note => {
  const { id, published, to, cc } = object as Record<string, string>;
  return { id: `${id}/activity`, type: 'Create', actor: old, published, to, cc, object };
};

function archive(items: readonly unknown[], more: readonly ZipEntry[] = [], actor: Note = { id: old }): Buffer {
  const outbox = { '@context': 'https://www.w3.org/ns/activitystreams', id: 'outbox.json', type: 'OrderedCollection' };
  return zipOf([
    { name: 'actor.json', content: JSON.stringify(actor) },
    { name: 'outbox.json', content: JSON.stringify({ ...outbox, totalItems: items.length, orderedItems: items }) },
    ...more,
  ]);
}

function begin(bytes: Buffer | string) {
  const file = join(folder, 'upload');
  writeFileSync(file, bytes);
  return importPosts(callers.as(alice), { file });
}

/** Runs slices until none is asked for, each twice: a kill before its answer was stored. */
async function run(between: () => unknown = () => undefined): Promise<number> {
  const { server } = callers.people;
  const runners = new Map([...postsRunners(services), ...mediaRunners(services)]);
  const wanted = [readArchive.number, importEffect.number, removeUploadedFiles.number];
  for (let slices = 0; ; ) {
    const index = server.effects.findIndex(({ effect }) => wanted.includes(effect));
    const [asked] = index === -1 ? [] : server.effects.splice(index, 1);
    if (asked === undefined) return slices;
    const runner = runners.get(asked.effect)!;
    await runner(asked.request);
    asked.answer(await runner(asked.request));
    server.settle();
    if (asked.effect === removeUploadedFiles.number) continue;
    slices += 1;
    await between();
  }
}

async function imported(bytes: Buffer): Promise<string[]> {
  await begin(bytes);
  await run();
  expect(left()).toEqual([]);
  callers.people.expectSound();
  return failures();
}

const status = (id: number) => {
  const statusId = importedStatusId(read(), alice.id, `${old}/statuses/${id}`);
  return statusId === undefined ? undefined : findStatusRecord(read(), statusId);
};

test('posts come with date, warning, audience, language and thread, and nobody is told', async () => {
  const { people } = callers;
  const rita = people.remote('rita', 'there.test');
  await people.follow(bob, alice);
  const known = await people.receive(rita, 'https://there.test/1');
  people.takeDeliveries();
  const before = people.server.events(statusPublished).length;
  const items = [
    // The newest first, as some servers write it: what is answered comes later.
    create(
      note(4, {
        inReplyTo: 'https://nowhere.example/1',
        content: '<p>@bob@here.example and @bob hi</p>',
      }),
    ),
    create(note(3, { inReplyTo: 'https://there.test/1' })),
    create(
      note(2, { inReplyTo: `${old}/statuses/1`, to: [`${old}/followers`], cc: [], updated: '2020-01-01T00:00:00Z' }),
    ),
    create(
      note(1, {
        summary: 'Birds',
        sensitive: true,
        content:
          '<p>About <a href="https://old.example/tags/birds" class="mention hashtag" rel="tag">#<span>birds</span></a></p>',
        contentMap: { de: 'x' },
        ...{ to: [`${old}/followers`], cc: [everybody] },
      }),
    ),
  ];
  expect(await imported(archive(items))).toEqual([]);
  expect(latest()).toMatchObject({ list: 'posts', rows: 4, done: 4, failed: 0, endedAt: expect.any(Number) });
  const first = status(1)!;
  expect(first).toMatchObject({
    ...{ text: 'About #birds', spoilerText: 'Birds', sensitive: true, language: 'de', visibility: 'unlisted' },
    ...{ tags: [{ name: 'birds' }], createdAt: Date.UTC(2019, 4, 1, 10), uri: undefined },
  });
  expect(Math.floor(timeOfId(first.id) / 1_000)).toBe(Date.UTC(2019, 4, 1, 10) / 1_000);
  expect(status(2)).toMatchObject({
    ...{ inReplyToId: first.id, inReplyToAccountId: alice.id, threadId: first.id, visibility: 'private' },
    ...{ editedAt: Date.UTC(2020, 0, 1) },
  });
  expect(status(3)).toMatchObject({ inReplyToId: known.id, inReplyToAccountId: rita.id });
  expect(status(4)).toMatchObject({ inReplyToId: undefined, answersUnknown: true, mentions: [{ id: bob.id }] });
  // Without a host it is somebody of the other server.
  expect(status(4)!.content).toMatch(/<\/a>.* and @bob hi<\/p>$/);
  expect(countersOf(read(), first.id).replies).toBe(0);
  expect(countersOf(read(), known.id).replies).toBe(1);
  expect(people.notificationsOf(bob).filter(({ type }) => type === 'mention')).toEqual([]);
  expect(people.takeDeliveries()).toEqual([]);
  expect(people.server.events(statusPublished)).toHaveLength(before);
  expect(people.server.events(statusImported)).toHaveLength(4);
});

test('the same archive again changes nothing, and what was deleted meanwhile comes back', async () => {
  const { people } = callers;
  const { server } = people;
  const before = people.entryCounts();
  const bytes = archive([
    create(note(1, { content: '<p>#cats</p>' })),
    create(note(2, { inReplyTo: `${old}/statuses/1` })),
  ]);
  expect(await imported(bytes)).toEqual([]);
  const [first, second] = [status(1)!, status(2)!];
  expect(await imported(bytes)).toEqual([]);
  expect([status(1), status(2)]).toEqual([first, second]);
  // On the profile, and in no timeline for what is new.
  expect(first).toMatchObject({ visibility: 'public', tags: [{ name: 'cats' }] });
  const listed = () => ['local timeline', 'tag timeline'].map((name) => people.entryCounts()[name] ?? 0);
  expect(listed()).toEqual(['local timeline', 'tag timeline'].map((name) => before[name] ?? 0));
  server.callNow(Account.deleteStatus.to(alice.id, { statusId: first.id, destinations: [] }));
  server.settle();
  expect(status(1)).toBeUndefined();
  expect(await imported(bytes)).toEqual([]);
  expect(status(1)!.id).not.toBe(first.id);
  expect(status(2)!.id).toBe(second.id);
});

test('what is no own post, and what cannot be, says why', async () => {
  const at = (id: number, published: unknown) => create(note(id, { published }));
  const now = callers.services.now();
  const items = [
    {
      id: 'x',
      type: 'Announce',
      actor: old,
      object: 'https://there.test/1',
      published: '2019-01-01T00:00:00Z',
      ...toAll,
    },
    create(note(2, { to: ['https://there.test/users/rita'], cc: [] })),
    create(note(3, { attributedTo: 'https://there.test/users/rita' })),
    { ...create(note(4)), actor: 'https://there.test/users/rita', object: { ...note(4), attributedTo: undefined } },
    at(5, '1970-01-01T00:00:00Z'),
    at(6, '2999-12-31T00:00:00Z'),
    at(7, undefined),
    at(8, 'yesterday'),
    'https://old.example/users/alice/statuses/9',
    { type: 'Like', actor: old, object: 'https://there.test/1' },
    create(note(1, { content: '' })),
    create(note(1, { id: 'https://elsewhere.example/1' })),
    { ...create(note(1)), object: { a: 'x'.repeat(1_100_000) } },
    at(9, new Date(now + day / 2).toISOString()),
  ];
  expect((await imported(archive(items))).sort()).toEqual(
    [
      ...['5 undated', '7 undated', '8 undated', '9 unreadable', '10 unreadable', '13 unreadable'],
      ...['11 unreadable', '12 unreadable', '3 foreign', '4 foreign', '6 undated'],
    ].sort(),
  );
  // Of what is left out on purpose there are no rows; the others are found by their lines.
  const lines = (after: number, limit: number) =>
    failedRowsAfter(read(), [alice.id, latest().id], after, limit).map(({ line }) => line);
  expect([lines(0, 4), lines(6, 100)]).toEqual([
    [3, 4, 5, 6],
    [7, 8, 9, 10, 11, 12, 13],
  ]);
  expect(latest()).toMatchObject({ rows: 14, done: 1, failed: 13 });
  expect(status(9)!.createdAt).toBe(now);
});

test('files are decoded and attached with what was said of them, and a poll is closed with its votes', async () => {
  const picture = await sharp({ create: { width: 8, height: 6, channels: 3, background: '#c00' } })
    .png()
    .toBuffer();
  const place = 'media_attachments/files/001/original/red.png';
  const attached = {
    type: 'Document',
    mediaType: 'image/png',
    url: `/${place}`,
    name: 'A red field',
    focalPoint: [0.5, -1],
  };
  const question = {
    ...{ type: 'Question', content: '<p>Which?</p>', endTime: '2019-05-04T10:00:00Z', votersCount: 3 },
    oneOf: ['a', 'b'].map((name, count) => ({ type: 'Note', name, replies: { totalItems: count + 1 } })),
  };
  const items = [
    create(note(1, { attachment: [attached] })),
    create(note(2, { content: '', attachment: [{ ...attached, url: `/${place}.missing` }] })),
    create(note(3, { attachment: [attached, { ...attached, url: 'media_attachments/broken.png' }] })),
    create(note(4, question)),
  ];
  const more = [
    { name: place, content: picture },
    { name: 'media_attachments/broken.png', content: 'no picture' },
  ];
  expect(await imported(archive(items, more))).toEqual(['2 withoutMedia', '3 withoutMedia']);
  expect(status(1)!.attachments).toMatchObject([
    {
      ...{ type: 'image', description: 'A red field', focusX: 0.5, focusY: -1, width: 8, height: 6 },
      ...{ blurhash: expect.any(String), url: expect.stringMatching(/\.png$/) },
    },
  ]);
  expect(status(2)).toBeUndefined();
  expect(status(3)!.attachments).toHaveLength(1);
  const poll = status(4)!;
  expect(poll.poll).toMatchObject({ options: ['a', 'b'], expiresAt: Date.UTC(2019, 4, 4, 10) });
  expect(tallyOf(read(), poll.id)).toMatchObject({ votes: [1, 2], voters: 3, isClosed: true });
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
  expect(await imported(bytes())).toEqual([]);
  expect(latest()).toMatchObject({ problem, done: 0, failed: 0, endedAt: expect.any(Number) });
  expect(status(1)).toBeUndefined();
});

test('what is no archive, or too large, is refused at once', async () => {
  await expect(begin('Account address\n')).rejects.toMatchObject({ code: 'validation', reason: 'archiveUnknown' });
  Object.assign(services.options, { importBytes: 100 });
  await expect(begin(archive([create(note(1))]))).rejects.toMatchObject({ reason: 'archiveTooLarge' });
  const { caller } = callers.as(alice);
  const assertSize = admitArchive(services, caller);
  for (const fine of [1_000, Number.NaN]) assertSize(fine);
  expect(() => assertSize(2_000_000)).toThrow(expect.objectContaining({ reason: 'archiveTooLarge' }));
  expect(importsOf(read(), alice.id)).toEqual([]);
});

test('an archive that is sent and given up counts, and none is received while an import runs', async () => {
  const { caller } = callers.as(alice);
  const counted: string[] = [];
  const limits = { ...caller.limits, take: (name: string) => void counted.push(name) };
  admitArchive(services, { ...caller, limits });
  expect(counted).toEqual(['archives']);
  await begin(archive([create(note(1))]));
  expect(() => admitArchive(services, caller)).toThrow(
    expect.objectContaining({ code: 'conflict', reason: 'importRuns' }),
  );
});

test('what describes the entries of a tar file counts as what comes out of it', async () => {
  const place = mkdtempSync(join(folder, 'tree-'));
  for (const name of ['actor.json', 'outbox.json']) writeFileSync(join(place, name), '{}');
  const described = { maxBuffer: 200_000_000, cwd: place };
  // A long comment before each of many names of one small file.
  const comment = `--pax-option=comment:=${'x'.repeat(60_000)}`;
  const names = Array.from({ length: 1_200 }, () => 'actor.json');
  const given = ['-c', '-z', '--format=pax', '--hard-dereference', comment, '-f', '-', 'outbox.json', ...names];
  const bytes = execFileSync('tar', given, described);
  expect(bytes.length).toBeLessThan(1_000_000);
  expect(await imported(bytes)).toEqual([]);
  expect(latest()).toMatchObject({ problem: 'archiveTooLarge' });
});

test('bookmarks in an archive become an import of their own', async () => {
  const kept = await callers.people.receive(callers.people.remote('rita', 'there.test'), 'https://there.test/1');
  const addresses = ['https://there.test/1', 'no address', { id: 'https://gone.test/2' }, 'https://there.test/1', 7];
  const list = JSON.stringify({ id: 'bookmarks.json', type: 'OrderedCollection', orderedItems: addresses });
  await begin(archive([create(note(1))], [{ name: 'bookmarks.json', content: list }]));
  await run();
  const [bookmarks, posts] = importsOf(read(), alice.id);
  expect(posts).toMatchObject({ list: 'posts', done: 1, endedAt: expect.any(Number) });
  expect(bookmarks).toMatchObject({ list: 'bookmarks', overwrites: false, rows: 2, endedAt: undefined });
  const rows = Array.from(allRowsOf(read(), alice.id, bookmarks!.id), ({ line, values }) => [line, ...values]);
  expect(rows).toEqual([
    [1, 'https://there.test/1'],
    [2, 'https://gone.test/2'],
  ]);
  expect(kept.id).toBeTypeOf('bigint');
  callers.people.expectSound();
  // Those of a list that is no list do not hold up the posts.
  await cancelImport(callers.as(alice), { importId: bookmarks!.id });
  await begin(archive([create(note(2))], [{ name: 'bookmarks.json', content: '{"orderedItems":["' }]));
  await run();
  expect(latest()).toMatchObject({ list: 'posts', done: 1, problem: undefined });
});

test('one that is cancelled is not unpacked to its end', async () => {
  await begin(archive([create(note(1))], [{ name: 'media_attachments/a', content: 'x'.repeat(1_000_000) }]));
  let time = 0;
  const { id: importId } = latest();
  Object.assign(services, {
    monotonic() {
      time += 1_000;
      if (time === 3_000) callers.people.server.callNow(Account.cancelImport.to(alice.id, { importId }));
      return time;
    },
  });
  const runners = new Map(postsRunners(services));
  expect(await runners.get(readArchive.number)!({ accountId: alice.id, importId })).toEqual({ importId });
  expect(existsSync(join(folder, 'incoming', folderOfImport(importId), 'complete'))).toBe(false);
  await run();
  expect([latest().isCancelled, left()]).toEqual([true, []]);
});

test('at a start, what nothing leads to goes', async () => {
  const { incoming } = services;
  await begin(archive([create(note(1))]));
  const [file] = left();
  const uploaded = await incoming.write(Buffer.from('picture'));
  const upload = { file: uploaded };
  await callers.people.server.call(Account.uploadMedia.to(alice.id, { description: '', upload }));
  await incoming.write(Buffer.from('of a process that was killed'));
  for (const name of ['import-7', folderOfImport(latest().id), 'archive-7', '7.decoded'])
    mkdirSync(join(folder, 'incoming', name));
  await removeAbandoned(services, 0);
  expect(left()).toHaveLength(7);
  await removeAbandoned(services, Number.POSITIVE_INFINITY);
  expect(left().sort()).toEqual([file, uploaded, folderOfImport(latest().id)].sort());
});

test('one that is cancelled, or whose account is disabled, leaves no files', async () => {
  await begin(archive([create(note(1))]));
  await expect(begin(archive([]))).rejects.toMatchObject({ code: 'conflict', reason: 'importRuns' });
  const { id: importId } = latest();
  // While it was being unpacked.
  mkdirSync(join(folder, 'incoming', folderOfImport(importId)));
  await cancelImport(callers.as(alice), { importId });
  await run();
  expect([latest().isCancelled, left(), status(1)]).toEqual([true, [], undefined]);
  await begin(archive([create(note(1))]));
  callers.people.server.callNow(Account.changeLogin.to(alice.id, { disabled: true }));
  await run();
  expect([latest().isCancelled, left(), status(1)]).toEqual([true, [], undefined]);
  callers.people.expectSound();
});

test('one that is forgotten with its account while it runs leaves no files', async () => {
  await begin(archive([create(note(1))]));
  const { id: importId } = latest();
  mkdirSync(join(folder, 'incoming', folderOfImport(importId)));
  callers.people.server.send(Account.importDue.to(alice.id, { importId }));
  callers.people.server.settle();
  await run();
  expect([importsOf(read(), alice.id), left(), status(1)]).toEqual([[], [], undefined]);
});

test('beyond so many, rows that failed are only counted', async () => {
  await begin(archive([create(note(1))]));
  const { server } = callers.people;
  const { id: importId } = latest();
  server.send(Account.archiveRead.to(alice.id, { importId, rows: 30_000 }));
  server.settle();
  for (let from = 0; from < 30_000; from += 15_000) {
    const failed = Array.from({ length: 14_000 }, (_none, index) => ({
      ...{ line: from + index + 1, values: [''], result: 'foreign' as const },
    }));
    server.send(Account.postsTried.to(alice.id, { importId, from, tried: 15_000, failed, leftOut: 500 }));
    server.settle();
  }
  expect(latest()).toMatchObject({ done: 1_000, failed: 29_000, chunks: 2, endedAt: expect.any(Number) });
  expect(failures()).toHaveLength(importLimits.rowsMax);
});

test('what was unpacked is made again where it is lost, and without the archive it ends', async () => {
  const items = Array.from({ length: 250 }, (_none, index) =>
    create(
      note(1, { id: `${old}/statuses/${index}`, published: new Date(Date.UTC(2019, 0, 1 + index)).toISOString() }),
    ),
  );
  const bytes = archive(items);
  await begin(bytes);
  const lost = () => rmSync(join(folder, 'incoming', folderOfImport(latest().id)), { recursive: true, force: true });
  expect(await run(lost)).toBe(4);
  expect(latest()).toMatchObject({ rows: 250, done: 250 });
  await begin(archive([create(note(9, { id: `${old}/statuses/900` }))]));
  await run(() => rmSync(join(folder, 'incoming'), { recursive: true, force: true }));
  expect(latest()).toMatchObject({ problem: 'archiveLost', done: 0 });
});
