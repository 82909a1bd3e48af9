/** Public and tag timelines over two partitions, compared with a plain list of what was published. */

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { viewerOf } from '../../../src/actors/account/relationships/viewer.queries.ts';
import type { Page, PageBounds } from '../../../src/actors/pages.ts';
import { anonymous, type Viewer } from '../../../src/actors/policy/visibility.ts';
import type { TagChoice, TimelineChoice } from '../../../src/actors/timelines.queries.ts';
import { timelineLimits } from '../../../src/operations/timelines/limits.ts';
import type { Timelines } from '../../../src/operations/timelines/timelines.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import type { PostOptions } from '../../support/acts.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';

interface Published {
  id: Id;
  author: Person;
  options: PostOptions;
}

let people: People;
let timelines: Timelines;
let alice: Person;
let bob: Person;
let carol: Person;
/** Newest first; only what stands in public timelines. */
let published: Published[];

const all: TimelineChoice = { origin: 'all', onlyMedia: false };

function viewer(person: Person): Viewer {
  return viewerOf(people.server.read, person.id, people.server.clock.now());
}

function ids(choose: (one: Published) => boolean = () => true): Id[] {
  return published.filter(choose).map(({ id }) => id);
}

function readPublic(bounds: PageBounds, choice = all, by: Viewer = anonymous): Page<Id> {
  return timelines.public(choice, by, bounds, (id) => id);
}

function readTags(tags: TagChoice, choice: TimelineChoice, by: Viewer, bounds: PageBounds): Page<Id> {
  return timelines.tag(tags, choice, by, bounds, (id) => id);
}

/** Follows `next` from the newest to the end. */
function readDown(limit: number, read: (bounds: PageBounds) => Page<Id>): Id[] {
  const found: Id[] = [];
  let maxId: Id | undefined;
  for (;;) {
    const page = read({ maxId, limit });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    found.push(...page.items);
    if (!page.full) return found;
    maxId = page.oldest;
  }
}

/** Follows `prev` from before the oldest to the newest. */
function readUp(limit: number, read: (bounds: PageBounds) => Page<Id>): Id[] {
  const found: Id[] = [];
  let minId = 0n;
  for (;;) {
    const page = read({ minId, limit });
    found.unshift(...page.items);
    if (page.newest === undefined) return found;
    minId = page.newest;
  }
}

async function fillWorld(): Promise<void> {
  people = new People();
  timelines = presenting(people.server).timelines;
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.remote('carol', 'there.test', { partition: 1 });
  published = [];
  for (let number = 0; number < 100; number += 1) {
    const author = [alice, bob, carol][number % 3]!;
    const options: PostOptions = {
      tags: [...(number % 2 === 0 ? ['cats'] : []), ...(number % 5 === 0 ? ['dogs'] : []), 'pets'],
      withMedia: number % 4 === 0,
      ...(number % 3 === 1 ? { language: 'de' } : {}),
    };
    const uri = `https://there.test/${number}`;
    const post = author === carol ? people.receive(author, uri, options) : people.publish(author, options);
    const { id } = await post;
    published.unshift({ id, author, options });
  }
}

describe('the public timeline', () => {
  beforeAll(fillWorld);

  test.each([7, 20, 64, 100, 101])('is read whole in pages of %i, down and up', (limit) => {
    expect(readDown(limit, readPublic)).toEqual(ids());
    expect(readUp(limit, readPublic)).toEqual(ids());
  });

  test('has pages between two ids', () => {
    const [newest, , third, , , sixth] = ids();
    expect(readPublic({ maxId: newest!, sinceId: sixth!, limit: 2 }).items).toEqual(ids().slice(1, 3));
    expect(readPublic({ maxId: newest!, minId: sixth!, limit: 2 }).items).toEqual(ids().slice(3, 5));
    expect(readPublic({ sinceId: third!, limit: 40 }).items).toEqual(ids().slice(0, 2));
    expect(readPublic({ sinceId: newest!, limit: 40 })).toEqual({
      items: [],
      newest: undefined,
      oldest: undefined,
      full: false,
    });
  });

  test.each<[string, Partial<TimelineChoice>, (one: Published) => boolean]>([
    ['local', { origin: 'local' }, ({ author }) => author !== carol],
    ['remote', { origin: 'remote' }, ({ author }) => author === carol],
    ['with media', { onlyMedia: true }, ({ options }) => options.withMedia === true],
    [
      'local with media',
      { origin: 'local', onlyMedia: true },
      (one) => one.author !== carol && !!one.options.withMedia,
    ],
    ['in French, or in no language', { languages: ['fr'] }, ({ options }) => options.language === undefined],
  ])('%s only', (_what, choice, belongs) => {
    expect(readDown(6, (bounds) => readPublic(bounds, { ...all, ...choice }))).toEqual(ids(belongs));
  });
});

test.each([
  ['local', 67],
  ['remote', 33],
] as const)('only the %s part of the public timeline is read for it', async (origin, expected) => {
  await fillWorld();
  const seen: Id[] = [];
  for (const partition of people.server.read.partitions) {
    const range = partition.range.bind(partition);
    partition.range = function* (...given) {
      for (const entry of range(...given)) {
        seen.push(entry.key.at(-1) as Id);
        yield entry;
      }
    } as typeof partition.range;
  }
  expect(readDown(200, (bounds) => readPublic(bounds, { ...all, origin }))).toHaveLength(expected);
  const others = new Set(ids(({ author }) => (author === carol) === (origin === 'local')));
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((id) => others.has(id))).toEqual([]);
});

describe('the timeline of tags', () => {
  beforeAll(fillWorld);

  test.each<[string, TagChoice, (tags: readonly string[]) => boolean]>([
    ['one', { any: ['cats'], all: [], none: [] }, (tags) => tags.includes('cats')],
    ['any', { any: ['cats', 'dogs'], all: [], none: [] }, (tags) => tags.includes('cats') || tags.includes('dogs')],
    ['all', { any: ['cats'], all: ['dogs'], none: [] }, (tags) => tags.includes('cats') && tags.includes('dogs')],
    ['none', { any: ['pets'], all: [], none: ['cats'] }, (tags) => !tags.includes('cats')],
    ['unknown', { any: ['fish'], all: [], none: [] }, () => false],
  ])('%s', (_what, tags, belongs) => {
    const read = (bounds: PageBounds) => readTags(tags, all, anonymous, bounds);
    const expected = ids(({ options }) => belongs(options.tags!));
    expect(readDown(4, read)).toEqual(expected);
    expect(readUp(4, read)).toEqual(expected);
  });
});

describe('what a viewer hides', () => {
  beforeEach(fillWorld);

  test.each([
    ['a block', () => people.block(alice, carol)],
    ['being blocked', () => people.block(carol, alice)],
    ['a mute', () => people.mute(alice, carol, { notifications: false })],
  ] as const)('by %s is left out and does not end the paging', async (_what, hide) => {
    await hide();
    const others = ids(({ author }) => author !== carol);
    expect(readDown(5, (bounds) => readPublic(bounds, all, viewer(alice)))).toEqual(others);
    expect(readDown(5, (bounds) => readPublic(bounds, all, viewer(bob)))).toEqual(ids());
    expect(readDown(5, readPublic)).toEqual(ids());
  });

  test('a long run of hidden statuses gives an empty page that leads on', async () => {
    await people.block(alice, bob);
    const visible = await people.publish(alice);
    for (let number = 0; number < 450; number += 1) await people.publish(bob);
    const first = readPublic({ limit: 20 }, all, viewer(alice));
    expect(first).toMatchObject({ items: [], full: true });
    expect(readPublic({ limit: 1, maxId: first.oldest }, all, viewer(alice)).items).toEqual([visible.id]);
  });
});

test('statuses that are not for everybody, replies to others and reblogs stand in no public timeline', async () => {
  await fillWorld();
  const post = { id: published[0]!.id, author: published[0]!.author };
  await people.publish(alice, { visibility: 'unlisted', tags: ['cats'] });
  await people.publish(alice, { visibility: 'private', tags: ['cats'] });
  await people.publish(alice, { visibility: 'direct', tags: ['cats'] });
  await people.reblog(bob, post);
  const reply = await people.publish(bob, {
    replyTo: { id: published.find((one) => one.author === alice)!.id, author: alice },
    tags: ['fish'],
  });
  expect(readDown(40, readPublic)).toEqual(ids());
  const fish = readTags({ any: ['fish'], all: [], none: [] }, all, anonymous, { limit: 5 });
  expect(fish.items).toEqual([reply.id]);
});

test('the newest statuses of an account are pages of ids, as far as they are cached', async () => {
  const posts = [];
  for (let count = 0; count < timelineLimits.entriesKeptMax + 10; count += 1) posts.push(await people.publish(carol));
  const newest = posts.map(({ id }) => id).reverse();
  const page = (bounds: PageBounds) => {
    const found = timelines.cachedPageOfAccount(carol.id, bounds);
    return found === undefined ? undefined : [...found];
  };
  expect(page({ limit: 20 })).toEqual(newest.slice(0, 20));
  expect(page({ limit: 20, maxId: newest[9]! })).toEqual(newest.slice(10, 30));
  expect(page({ limit: 20, maxId: newest[9]! - 1n })).toEqual(newest.slice(10, 30));
  expect(page({ limit: 20, maxId: newest[timelineLimits.entriesKeptMax - 20]! })).toBeUndefined();
  expect(page({ limit: 20, maxId: 1n })).toBeUndefined();
  expect(page({ limit: 20, minId: newest[30]! })).toBeUndefined();
  expect(page({ limit: 20, sinceId: newest[5]! })).toBeUndefined();
  const { id } = await people.publish(carol);
  expect(page({ limit: 2 })).toEqual([id, newest[0]]);
});
