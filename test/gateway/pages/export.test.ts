/** /settings/export: an archive of an account, built in slices, and its lists as files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { importPosts as importEffect, readArchive } from '../../../src/actors/account/imports/imports.effects.ts';
import { failedRowsOf, importsOf } from '../../../src/actors/account/imports/imports.queries.ts';
import { buildArchive } from '../../../src/actors/account/leaving/leaving.effects.ts';
import { archiveOf } from '../../../src/actors/account/leaving/leaving.queries.ts';
import { leavingLimits } from '../../../src/actors/account/leaving/limits.ts';
import { blobHolders } from '../../../src/actors/blob/blob.state.ts';
import { importPosts } from '../../../src/operations/imports/import-posts.ts';
import { postsRunners } from '../../../src/operations/imports/posts/posts-runners.ts';
import { archiveRunner } from '../../../src/operations/leaving/archive/archive-runner.ts';
import { archiveLimits } from '../../../src/operations/leaving/archive/limits.ts';
import { fileOfList } from '../../../src/operations/leaving/exported-lists.ts';
import { storeFiles } from '../../../src/operations/media/store-files.ts';
import { FolderStore } from '../../../src/services/blobs/folder-store.ts';
import { IncomingFiles } from '../../../src/services/media/incoming-files.ts';
import type { NetworkServices } from '../../../src/services/network-services.ts';
import { Callers } from '../../operations/callers.ts';
import * as acts from '../../support/acts.ts';
import { learnt } from '../../support/learnt.ts';
import { ownMedia } from '../../support/own-media.ts';
import { People } from '../../support/people.ts';
import { plainPost } from '../../support/plain-post.ts';
import { Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

const picture = 'not quite a picture';
/** More than one slice. */
const posts = archiveLimits.sliceItemsMax + 3;
const week = leavingLimits.archiveKeptMilliseconds;

type Run = () => Promise<unknown>;

async function bed() {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const site = new Site();
  const { actors, services } = site.gateway;
  const store = new FolderStore(join(folder, 'store'));
  Object.assign(services, { blobs: store, incoming: new IncomingFiles(join(folder, 'incoming')) });
  const [, runner] = archiveRunner(services);
  const alice = await site.person('alice');
  const own = { id: alice.id, name: 'alice', destination: undefined };
  const people = new People(actors);

  /** Runs slices until none is asked for; `each` runs a slice. Returns how many there were. */
  async function build(each: (run: Run, slice: number) => Promise<unknown> = (run) => run()): Promise<number> {
    for (let slice = 0; ; slice += 1) {
      const index = actors.effects.findIndex(({ effect }) => effect === buildArchive.number);
      const [asked] = index === -1 ? [] : actors.effects.splice(index, 1);
      if (asked === undefined) return slice;
      asked.answer(await each(() => runner(asked.request), slice));
      actors.settle();
    }
  }

  async function life(): Promise<void> {
    writeFileSync(join(folder, 'picture'), picture);
    const blobs = await storeFiles(services, [
      { file: join(folder, 'picture'), mediaType: 'image/png', bytes: picture.length },
    ]);
    const [{ name } = { name: '' }] = blobs;
    const media = ownMedia(actors, alice.id, { type: 'image', url: name, mediaType: 'image/png' }, blobs);
    actors.callNow(Account.publish.to(alice.id, plainPost('with a picture', { attachments: [media] })));
    for (let count = 2; count <= posts; count += 1) actors.callNow(acts.publish(own, { text: `post ${count}` }));
    const { id } = await site.person('bob');
    const bob = { id, name: 'bob', destination: undefined };
    const other = await people.publish(bob);
    await people.favourite(own, other);
    await people.follow(own, bob);
    await people.block(own, { id: (await site.person('carol')).id, name: 'carol', destination: undefined });
    const { listId } = actors.callNow(
      Account.createList.to(alice.id, { title: 'Birds, "rare"', repliesPolicy: 'list', exclusive: false }),
    );
    actors.callNow(Account.addToList.to(alice.id, { listId, memberIds: [bob.id] }));
    actors.callNow(Account.bookmark.to(alice.id, { statusId: other.id }));
    actors.callNow(acts.reblog(own, other));
  }

  function unpacked(archive: Buffer | string) {
    const place = mkdtempSync(join(folder, 'unpacked-'));
    mkdirSync(place, { recursive: true });
    execFileSync('tar', ['-xzf', '-', '-C', place], { input: archive });
    const json = (name: string) => JSON.parse(readFileSync(join(place, name), 'utf8'));
    return { place, json };
  }

  const archive = () => archiveOf(actors.read, alice.id);
  const download = async () => {
    const response = await site.gateway.fetch('/settings/export/archive', { headers: { cookie: alice.cookie } });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  return { site, alice, people, actors, services, folder, store, build, life, unpacked, archive, download };
}

test('an archive has everything, also where every slice runs twice, and only its owner gets it', async () => {
  const { site, alice, build, life, unpacked, archive, download, store, actors, folder } = await bed();
  await life();
  expect(textOf((await alice.ask('/settings/export')).html)).toContain('Ask for an archive');
  expect((await alice.act('/web/settings/export')).location).toBe('/settings/export');
  const building = await alice.ask('/settings/export');
  expectStrict(building);
  expect(textOf(building.html)).toContain('Your archive is being made');
  expect((await alice.act('/web/settings/export')).status).toBe(422);
  expect((await download()).response.status).toBe(404);
  // A kill after the files were written, and before the answer was stored.
  const slices = await build(async (run) => {
    await run();
    return run();
  });
  expect(slices).toBe(6);
  const ready = await alice.ask('/settings/export');
  expectStrict(ready);
  expect(textOf(ready.html)).toContain('Your archive is ready');
  expect(readdirSync(join(folder, 'incoming'))).toEqual([]);

  const { response, bytes } = await download();
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  expect(response.headers.get('content-disposition')).toMatch(/attachment; filename="archive-2025-01-01-alice.tar.gz"/);
  const { place, json } = unpacked(bytes);
  const outbox = json('outbox.json');
  expect([outbox.type, outbox.totalItems, outbox.orderedItems.length]).toEqual([
    'OrderedCollection',
    posts + 1,
    posts + 1,
  ]);
  expect(new Set(outbox.orderedItems.map(({ id }: { id: string }) => id)).size).toBe(posts + 1);
  expect(outbox.orderedItems[1].object.content).toContain('post 2');
  expect(outbox.orderedItems.at(-1).type).toBe('Announce');
  const [{ url }] = outbox.orderedItems[0].object.attachment;
  expect(readFileSync(join(place, url), 'utf8')).toBe(picture);
  expect([json('likes.json').totalItems, json('bookmarks.json').orderedItems]).toEqual([
    1,
    [expect.stringContaining('/users/bob/statuses/')],
  ]);
  expect(json('actor.json')).toMatchObject({ preferredUsername: 'alice', outbox: 'outbox.json', likes: 'likes.json' });
  expect(JSON.stringify(json('actor.json'))).not.toContain('PRIVATE');
  expect(readFileSync(join(place, 'follows.csv'), 'utf8')).toContain('bob@social.example,true,false,\n');

  const { blob } = archive()!;
  for (const visitor of [site.stranger, await site.person('mallory')]) {
    expect((await visitor.ask('/settings/export/archive')).status).not.toBe(200);
    expect((await visitor.ask(`/media/${blob!.name}`)).status).toBe(404);
  }
  expect(await store.has(blob!.name as never)).toBe(true);
  const isHeld = () => actors.read.get(blobHolders, [blob!.name, holderId]) !== undefined;
  const { id: holderId } = archive()!;
  expect(isHeld()).toBe(true);
  actors.clock.advance(week);
  expect([archive(), isHeld()]).toEqual([undefined, false]);
  expect((await alice.act('/web/settings/export')).status).toBe(303);
  await build();
});

test('of every kind of thing that the account has there is as much in it', async () => {
  const { site, alice, people, build, unpacked, download, actors, services, folder } = await bed();
  const own = { id: alice.id, name: 'alice', destination: undefined };
  const somebody = async (name: string) => ({ id: (await site.person(name)).id, name, destination: undefined });
  const [bob, carol, dave] = [await somebody('bob'), await somebody('carol'), await somebody('dave')];
  const others = [await people.publish(bob), await people.publish(carol)];
  const [first, second] = others as [(typeof others)[number], (typeof others)[number]];
  const kinds = [
    { visibility: 'public' },
    { visibility: 'unlisted' },
    { visibility: 'private' },
    { visibility: 'direct', mentions: [bob] },
    { replyTo: first },
    { poll: { options: ['tea', 'coffee'], multiple: false, hideTotals: false, expiresInSeconds: 3_600 } },
  ] as const;
  for (const [index, kind] of kinds.entries())
    actors.callNow(acts.publish(own, { text: `written ${index}`, ...(kind as object) }));
  actors.callNow(Account.publish.to(alice.id, plainPost('stays here', { localOnly: true })));
  const uri = 'https://old.example/1';
  actors.callNow(acts.importPost(own, { text: 'imported', uri, publishedAt: 1, threadId: undefined }));
  actors.callNow(acts.reblog(own, first));
  for (const one of others) await people.favourite(own, one);
  actors.callNow(Account.bookmark.to(alice.id, { statusId: second.id }));
  for (const one of [bob, carol]) await people.follow(own, one);
  await people.block(own, dave);
  await people.mute(own, dave);
  for (const domain of ['one.example', 'two.example'])
    actors.callNow(Account.blockDomain.to(alice.id, { domain, followed: [] }));
  const list = { title: 'Birds', repliesPolicy: 'list', exclusive: false } as const;
  const { listId } = actors.callNow(Account.createList.to(alice.id, list));
  actors.callNow(Account.addToList.to(alice.id, { listId, memberIds: [bob.id, carol.id] }));
  const keywords = ['war', 'peace'].map((keyword) => ({ keyword, wholeWord: true }));
  const changes = { title: 'News', contexts: ['home' as const], action: 'hide' as const };
  actors.callNow(Account.changeFilter.to(alice.id, { changes, keywords }));
  writeFileSync(join(folder, 'face'), picture);
  const [face] = await storeFiles(services, [
    { file: join(folder, 'face'), mediaType: 'image/png', bytes: picture.length },
  ]);
  people.change(own, { avatarPicture: { file: face! }, headerPicture: { file: face! } });

  await alice.act('/web/settings/export');
  await build();
  const { place, json } = unpacked((await download()).bytes);
  const rows = (name: string) =>
    readFileSync(join(place, `${name}.csv`), 'utf8')
      .trimEnd()
      .split('\n');
  const entries = Object.entries(fileOfList).map(([name, file]) => [name, rows(file).length]);
  // Three of them have a row with the names of their columns.
  expect(Object.fromEntries(entries)).toEqual({
    ...{ follows: 2 + 1, blocks: 1, mutes: 1 + 1, domainBlocks: 2, lists: 2, bookmarks: 1, filters: 2 + 1 },
  });
  const { orderedItems: written } = json('outbox.json');
  const texts = ['written', 'stays here', 'imported'].map(
    (text) => written.filter((one: unknown) => JSON.stringify(one).includes(text)).length,
  );
  expect([texts, written.length]).toEqual([[kinds.length, 1, 1], kinds.length + 3]);
  expect([json('likes.json').totalItems, json('bookmarks.json').totalItems]).toEqual([2, 1]);
  expect(json('actor.json')).toMatchObject({ icon: { url: 'avatar.png' }, image: { url: 'header.png' } });
  expect(readdirSync(place).sort()).toEqual(
    ['actor.json', 'avatar.png', 'header.png', 'likes.json', 'outbox.json', 'bookmarks.json']
      .concat(Object.values(fileOfList).map((file) => `${file}.csv`))
      .sort(),
  );
});

test('where its files are lost in the middle it begins anew, and one that nobody wants leaves nothing', async () => {
  const { alice, build, life, unpacked, archive, download, actors, folder } = await bed();
  await life();
  await alice.act('/web/settings/export');
  const slices = await build((run, slice) => {
    if (slice === 2) rmSync(join(folder, 'incoming'), { recursive: true });
    return run();
  });
  expect(slices).toBe(2 + 1 + 6);
  const { json } = unpacked((await download()).bytes);
  expect(json('outbox.json').orderedItems).toHaveLength(posts + 1);

  actors.clock.advance(week);
  await alice.act('/web/settings/export');
  await build((run, slice) => {
    if (slice === 1) actors.callNow(Account.forgetArchive.to(alice.id, {}) as never);
    return run();
  });
  expect([archive(), readdirSync(join(folder, 'incoming'))]).toEqual([undefined, []]);
});

test('lists are files in the form of Mastodon', async () => {
  const { site, alice, life, actors } = await bed();
  await life();
  actors.callNow(Account.blockDomain.to(alice.id, { domain: 'bad.example', followed: [] }));
  const csv = async (name: string) => (await alice.ask(`/settings/exports/${name}.csv`)).html;
  expect(await csv('blocks')).toBe('carol@social.example\n');
  expect(await csv('mutes')).toBe('Account address,Hide notifications\n');
  expect(await csv('domain_blocks')).toBe('bad.example\n');
  expect(await csv('bookmarks')).toMatch(/^https:\/\/social\.example\/users\/bob\/statuses\/\d+\n$/);
  expect(await csv('lists')).toBe('"Birds, ""rare""",bob@social.example\n');
  expect((await csv('filters')).split('\n')).toHaveLength(2);
  expect((await alice.ask('/settings/exports/secrets.csv')).status).toBe(404);
  expect((await site.stranger.ask('/settings/exports/follows.csv')).location).toContain('/auth/sign_in');
});

test('the posts of an archive come to another server, to an account that names the first as its alias', async () => {
  const { alice, build, life, download } = await bed();
  await life();
  await alice.act('/web/settings/export');
  await build();
  const { bytes } = await download();
  const other = new Callers();
  const { people } = other;
  const [moved, former] = [people.local('alicia'), people.remote('alice', 'social.example')];
  people.server.callNow(Account.changeAliases.to(moved.id, { aliasIds: [former.id] }));
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const services = Object.assign(other.services as NetworkServices, {
    incoming: new IncomingFiles(join(folder, 'incoming')),
  });
  writeFileSync(join(folder, 'archive'), bytes);
  await importPosts(other.as(moved), { file: join(folder, 'archive') });
  const runners = new Map(postsRunners(services));
  for (const kind of [readArchive.number, importEffect.number, importEffect.number, importEffect.number]) {
    const [asked] = people.server.effects.splice(
      people.server.effects.findIndex(({ effect }) => effect === kind),
      1,
    );
    asked!.answer(await runners.get(kind)!(asked!.request));
    people.server.settle();
  }
  // Beside it runs that of its bookmarks.
  const known = importsOf(people.server.read, moved.id).find(({ list }) => list === 'posts');
  // The boost is left out and only counted, and the picture is none.
  expect(known).toMatchObject({ rows: posts + 1, done: posts - 1, failed: 2, endedAt: expect.any(Number) });
  const failed = Array.from(failedRowsOf(people.server.read, moved.id, known!.id), ({ result }) => result);
  expect(failed).toEqual(['withoutMedia']);
  people.expectSound();
});

test('what a suspension of a server has ended is told with files, and can be downloaded later as well', async () => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const { actors } = site.gateway;
  const people = new People(actors);
  const carol = await learnt(actors, 'carol', 'ended.example');
  await people.follow({ id: alice.id, name: 'alice', destination: undefined }, carol);
  await actors.call(Account.followAccepted.to(alice.id, { targetId: carol.id }));
  expect((await alice.ask('/settings/export')).html).not.toContain('id="severed"');
  await actors.call(Account.treatByDomain.to(carol.id, { severity: 'suspend', domain: 'ended.example' }));
  actors.settle();
  actors.clock.advance(60_000);
  const path = /href="(\/settings\/exports\/severed\/\d+\/following\.csv)"/;
  const [, file] = path.exec((await alice.ask('/notifications')).html)!;
  const page = await alice.ask('/settings/export');
  expectStrict(page);
  expect([textOf(page.html).includes('ended.example'), path.exec(page.html)?.[1]]).toEqual([true, file]);
  const shown = await alice.ask(file!);
  expect(shown.html).toBe(
    'Account address,Show boosts,Notify on new posts,Languages\ncarol@ended.example,true,false,\n',
  );
  expect(shown.headers.get('content-disposition')).toMatch(/filename="following-ended\.example-\d{4}-\d\d-\d\d\.csv"$/);
  const followers = file!.replace('following', 'followers');
  expect((await alice.ask(followers)).html).toBe('Account address\n');
  expect((await bob.ask(file!)).status).toBe(404);
  expect((await alice.ask(file!.replace('following', 'secrets'))).status).toBe(404);
});
