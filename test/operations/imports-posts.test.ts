/** Posts of an archive of another server: stored with their dates, once, and nobody is told. */
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { homeFactsBelong } from '../../src/actors/account/home/home.queries.ts';
import { failedRowsAfter } from '../../src/actors/account/imports/imports.queries.ts';
import { importLimits } from '../../src/actors/account/imports/limits.ts';
import { tallyOf } from '../../src/actors/account/polls/polls.queries.ts';
import { factsOf } from '../../src/actors/account/statuses/status-facts.ts';
import { statusImported, statusPublished } from '../../src/actors/account/statuses/statuses.events.ts';
import { countersOf } from '../../src/actors/account/statuses/statuses.queries.ts';
import { activityOf } from '../../src/actors/instance/instance.queries.ts';
import { dayOf } from '../../src/actors/session/session.messages.ts';
import { timeOfId } from '../../src/runtime/ids.ts';
import { mergedHome, mergedList } from '../support/merged-home.ts';
import { ArchiveBed, archive, create, everybody, note, old, toAll } from './archive-bed.ts';

const day = 24 * 60 * 60 * 1_000;
let bed: ArchiveBed;
beforeEach(() => {
  bed = new ArchiveBed();
});

test('posts come with date, warning, audience, language and thread, and nobody is told', async () => {
  const { people } = bed.callers;
  const rita = people.remote('rita', 'there.test');
  await people.follow(bed.bob, bed.alice);
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
  expect(await bed.imported(archive(items))).toEqual([]);
  expect(bed.latest()).toMatchObject({ list: 'posts', rows: 4, done: 4, failed: 0, endedAt: expect.any(Number) });
  const first = bed.status(1)!;
  expect(first).toMatchObject({
    ...{ text: 'About #birds', spoilerText: 'Birds', sensitive: true, language: 'de', visibility: 'unlisted' },
    ...{ tags: [{ name: 'birds' }], createdAt: Date.UTC(2019, 4, 1, 10), uri: undefined },
  });
  expect(Math.floor(timeOfId(first.id) / 1_000)).toBe(Date.UTC(2019, 4, 1, 10) / 1_000);
  expect(bed.status(2)).toMatchObject({
    ...{ inReplyToId: first.id, inReplyToAccountId: bed.alice.id, threadId: first.id, visibility: 'private' },
    ...{ editedAt: Date.UTC(2020, 0, 1) },
  });
  expect(bed.status(3)).toMatchObject({ inReplyToId: known.id, inReplyToAccountId: rita.id });
  expect(bed.status(4)).toMatchObject({ inReplyToId: undefined, answersUnknown: true, mentions: [{ id: bed.bob.id }] });
  // Without a host it is somebody of the other server.
  expect(bed.status(4)!.content).toMatch(/<\/a>.* and @bob hi<\/p>$/);
  expect(countersOf(bed.read(), first.id).replies).toBe(0);
  expect(countersOf(bed.read(), known.id).replies).toBe(1);
  expect(people.notificationsOf(bed.bob).filter(({ type }) => type === 'mention')).toEqual([]);
  expect(people.takeDeliveries()).toEqual([]);
  expect(people.server.events(statusPublished)).toHaveLength(before);
  expect(people.server.events(statusImported)).toHaveLength(4);
});

test('it is in no home and no list, no activity of this week and no trend, and counts as written when it was', async () => {
  const { people } = bed.callers;
  const { server } = people;
  people.change(bed.alice, { discoverable: true });
  await people.follow(bed.bob, bed.alice);
  const list = { title: 'Friends', repliesPolicy: 'list', exclusive: false } as const;
  const { listId } = server.callNow(Account.createList.to(bed.bob.id, list));
  server.callNow(Account.addToList.to(bed.bob.id, { listId, memberIds: [bed.alice.id] }));
  const here = await people.publish(bed.alice);
  server.clock.advance(day);
  const activity = () => activityOf(bed.read().partitions, dayOf(server.clock.now()))[0];
  const before = activity();
  const published = new Date(server.clock.now() - 60_000).toISOString();
  const lately = { published, content: '<p>Lately</p>', contentMap: { en: '<p>Lately</p>' } };
  expect(await bed.imported(archive([create(note(1)), create(note(2, lately))]))).toEqual([]);
  const recent = bed.status(2)!;
  for (const { id } of [bed.alice, bed.bob]) {
    expect(mergedHome(bed.read(), id, { limit: 10 })).toEqual([here.id]);
    expect(homeFactsBelong(bed.read(), id, factsOf(recent))).toBe(false);
  }
  expect(mergedList(bed.read(), listId, { limit: 10 })).toEqual([here.id]);
  expect(activity()).toEqual(before);
  expect(people.accountCounters(bed.alice)).toMatchObject({ statuses: 3, lastStatusAt: recent.createdAt });
  const fans = Array.from({ length: 6 }, (_none, index) => people.local(`fan${index}`));
  for (const fan of fans) await people.favourite(fan, { id: recent.id, author: bed.alice });
  expect(people.entryCounts()['ranked statuses'] ?? 0).toBe(0);
  people.expectSound();
});

test('the same archive again changes nothing, and what was deleted meanwhile comes back', async () => {
  const { people } = bed.callers;
  const { server } = people;
  const before = people.entryCounts();
  const bytes = archive([
    create(note(1, { content: '<p>#cats</p>' })),
    create(note(2, { inReplyTo: `${old}/statuses/1` })),
  ]);
  expect(await bed.imported(bytes)).toEqual([]);
  const [first, second] = [bed.status(1)!, bed.status(2)!];
  expect(await bed.imported(bytes)).toEqual([]);
  expect([bed.status(1), bed.status(2)]).toEqual([first, second]);
  // On the profile, and in no timeline for what is new.
  expect(first).toMatchObject({ visibility: 'public', tags: [{ name: 'cats' }] });
  const listed = () => ['local timeline', 'tag timeline'].map((name) => people.entryCounts()[name] ?? 0);
  expect(listed()).toEqual(['local timeline', 'tag timeline'].map((name) => before[name] ?? 0));
  server.callNow(Account.deleteStatus.to(bed.alice.id, { statusId: first.id, destinations: [] }));
  server.settle();
  expect(bed.status(1)).toBeUndefined();
  expect(await bed.imported(bytes)).toEqual([]);
  expect(bed.status(1)!.id).not.toBe(first.id);
  expect(bed.status(2)!.id).toBe(second.id);
});

test('what is no own post, and what cannot be, says why', async () => {
  const at = (id: number, published: unknown) => create(note(id, { published }));
  const now = bed.callers.services.now();
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
  expect((await bed.imported(archive(items))).sort()).toEqual(
    [
      ...['5 undated', '7 undated', '8 undated', '9 unreadable', '10 unreadable', '13 unreadable'],
      ...['11 unreadable', '12 unreadable', '3 foreign', '4 foreign', '6 undated'],
    ].sort(),
  );
  // Of what is left out on purpose there are no rows; the others are found by their lines.
  const lines = (after: number, limit: number) =>
    failedRowsAfter(bed.read(), [bed.alice.id, bed.latest().id], after, limit).map(({ line }) => line);
  expect([lines(0, 4), lines(6, 100)]).toEqual([
    [3, 4, 5, 6],
    [7, 8, 9, 10, 11, 12, 13],
  ]);
  expect(bed.latest()).toMatchObject({ rows: 14, done: 1, failed: 13 });
  expect(bed.status(9)!.createdAt).toBe(now);
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
  expect(await bed.imported(archive(items, more))).toEqual(['2 withoutMedia', '3 withoutMedia']);
  expect(bed.status(1)!.attachments).toMatchObject([
    {
      ...{ type: 'image', description: 'A red field', focusX: 0.5, focusY: -1, width: 8, height: 6 },
      ...{ blurhash: expect.any(String), url: expect.stringMatching(/\.png$/) },
    },
  ]);
  expect(bed.status(2)).toBeUndefined();
  expect(bed.status(3)!.attachments).toHaveLength(1);
  const poll = bed.status(4)!;
  expect(poll.poll).toMatchObject({ options: ['a', 'b'], expiresAt: Date.UTC(2019, 4, 4, 10) });
  expect(tallyOf(bed.read(), poll.id)).toMatchObject({ votes: [1, 2], voters: 3, isClosed: true });
});

test('beyond so many, rows that failed are only counted', async () => {
  await bed.begin(archive([create(note(1))]));
  const { server } = bed.callers.people;
  const { id: importId } = bed.latest();
  server.send(Account.archiveRead.to(bed.alice.id, { importId, rows: 30_000 }));
  server.settle();
  for (let from = 0; from < 30_000; from += 15_000) {
    const failed = Array.from({ length: 14_000 }, (_none, index) => ({
      ...{ line: from + index + 1, values: [''], result: 'foreign' as const },
    }));
    server.send(Account.postsTried.to(bed.alice.id, { importId, from, tried: 15_000, failed, leftOut: 500 }));
    server.settle();
  }
  expect(bed.latest()).toMatchObject({ done: 1_000, failed: 29_000, chunks: 2, endedAt: expect.any(Number) });
  expect(bed.failures()).toHaveLength(importLimits.rowsMax);
});
