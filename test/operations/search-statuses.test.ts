/** Searches in the text of statuses: the language of queries, and that a viewer is shown nothing that is hidden from it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { blockAccount } from '../../src/operations/relationships/block-account.ts';
import { blockDomain } from '../../src/operations/relationships/block-domain.ts';
import { muteAccount } from '../../src/operations/relationships/mute-account.ts';
import { search } from '../../src/operations/search/search.ts';
import { Failure } from '../../src/runtime/errors.ts';
import type { Search, SearchQuery } from '../../src/services/search/search.ts';
import type { Person } from '../support/observer.ts';
import { searchOver } from '../support/search.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let alice: Person;
let bob: Person;
let carol: Person;

beforeEach(() => {
  callers = new Callers();
  [alice, bob] = [callers.people.local('alice', { indexable: true }), callers.people.local('bob')];
  carol = callers.people.local('carol', { indexable: true });
  const { engine, catchUp } = searchOver(callers.people.server);
  catchUp();
  Object.assign(callers.services, { search: engine });
});

const statuses = async (asker: Person, words: string, more: object = {}) => {
  const input = { words, resolve: false, followedOnly: false, offset: 0, limit: 20, ...more };
  const { statusIds } = await search(callers.as(asker), input);
  return statusIds.map((id) => callers.people.statusRecord(id)!.text);
};

describe('the language of queries', () => {
  const queries: [string, string[]][] = [
    ['black CATS', ['black cats']],
    ['cats -black', ['white cats']],
    ['"black cats"', ['black cats']],
    ['"cats black"', []],
    ['-"black cats" cats', ['white cats']],
    ['#Pets', ['my #pets']],
    ['from:carol', ['katzen']],
    ['from:@carol@here.example', ['katzen']],
    ['from:me', ['mine']],
    ['cats -from:alice', []],
    ['from:nobody', []],
    ['language:de', ['katzen']],
    ['has:media', ['photo']],
    ['is:reply', []],
    ['in:library', ['mine']],
    ['mine in:public', []],
    ['mine in:all', ['mine']],
    ['cats before:2020-01-01', []],
    ['cats after:2020-01-01', ['white cats', 'black cats']],
    ['cats -before:2020-01-01', ['white cats', 'black cats']],
    ['cats during:2020-01-01', []],
    // What says nothing finds nothing.
    ['cats has:legs', []],
    ['cats before:yesterday', []],
    ['cats before:2026-02-31', []],
    ['cats in:garden', []],
    ['!?', []],
    // Nothing of it is read as syntax of the index.
    ['cats OR mine', []],
    ['body:cats', []],
    ['cats*', ['white cats', 'black cats']],
    ['cats")', ['white cats', 'black cats']],
  ];
  test.each(queries)('%s', async (words, texts) => {
    await callers.people.publish(alice, { text: 'black cats' });
    await callers.people.publish(alice, { text: 'white cats' });
    await callers.people.publish(alice, { text: 'my #pets', tags: ['pets'] });
    await callers.people.publish(alice, { text: 'photo', withMedia: true });
    await callers.people.publish(carol, { text: 'katzen', language: 'de' });
    await callers.people.publish(bob, { text: 'mine' });
    expect(await statuses(bob, words)).toEqual(texts);
  });
});

test('days are those of a time zone, moments are not', async () => {
  const { clock } = callers.people.server;
  // The last hour of a winter day in Berlin, and the first of the next.
  for (const [text, time] of [
    ['cats late', '2025-01-14T22:30:00Z'],
    ['cats early', '2025-01-14T23:30:00Z'],
  ] as const) {
    clock.advance(Date.parse(time) - clock.now());
    await callers.people.publish(alice, { text });
  }
  const [late, early] = [['cats late'], ['cats early']];
  const rows: [string, string | undefined, string[]][] = [
    ['cats during:2025-01-14', undefined, ['cats early', 'cats late']],
    ['cats during:2025-01-14', 'Europe/Berlin', late],
    ['cats before:2025-01-15', 'Europe/Berlin', late],
    ['cats after:2025-01-14', 'Europe/Berlin', early],
    ['cats after:2025-01-14', undefined, []],
    ['cats during:2025-01-14', 'America/New_York', ['cats early', 'cats late']],
    ['cats during:2025-01-15', 'Pacific/Auckland', ['cats early', 'cats late']],
    ['cats before:2025-01-15T00:00', 'Europe/Berlin', late],
    ['cats before:2025-01-14T23:00Z', 'Europe/Berlin', late],
    ['cats before:2025-01-15T00:00+01:00', 'Asia/Tokyo', late],
    [`cats after:${Date.parse('2025-01-14T23:00:00Z')}`, 'Asia/Tokyo', early],
    ['cats before:2025-01-15T99:00', 'Europe/Berlin', []],
  ];
  for (const [words, timeZone, texts] of rows)
    expect([words, timeZone, await statuses(bob, words, { timeZone })]).toEqual([words, timeZone, texts]);
});

describe('pages', () => {
  test('have limits and offsets, an author and bounds', async () => {
    const posts = [];
    for (let number = 0; number < 5; number += 1)
      posts.push(await callers.people.publish(alice, { text: `cats ${number}` }));
    await callers.people.publish(carol, { text: 'cats of carol' });
    const page = { kind: 'statuses', limit: 2 };
    expect(await statuses(bob, 'cats', page)).toEqual(['cats of carol', 'cats 4']);
    expect(await statuses(bob, 'cats', { ...page, offset: 2 })).toEqual(['cats 3', 'cats 2']);
    expect(await statuses(bob, 'cats', { authorId: alice.id, limit: 1 })).toEqual(['cats 4']);
    const between = { minId: posts[1]!.id, maxId: posts[3]!.id };
    expect(await statuses(bob, 'cats', between)).toEqual(['cats 2']);
  });

  test('are filled although much of what is found is hidden', async () => {
    await callers.people.publish(alice, { text: 'cats of alice' });
    for (let number = 0; number < 30; number += 1) await callers.people.publish(carol, { text: `cats ${number}` });
    await muteAccount(callers.as(bob), { accountId: carol.id, hideNotifications: true, durationSeconds: 0 });
    expect(await statuses(bob, 'cats', { limit: 3 })).toEqual(['cats of alice']);
  });
});

test('where all that is found is hidden, the index is not asked for longer than a second', async () => {
  let [asked, time] = [0, 0];
  const find = async ({ limit }: SearchQuery) => {
    asked += 1;
    return Array.from({ length: limit }, (_, number) => BigInt(limit - number));
  };
  Object.assign(callers.services, { search: { find }, monotonic: () => (time += 400) });
  expect(await statuses(bob, 'cats')).toEqual([]);
  expect(asked).toBe(2);
});

describe('what is hidden is not found', () => {
  const hidden: [string, () => Promise<unknown> | unknown][] = [
    ['of whom the viewer blocks', () => blockAccount(callers.as(bob), { accountId: alice.id })],
    ['of whom blocks the viewer', () => blockAccount(callers.as(alice), { accountId: bob.id })],
    [
      'of whom the viewer mutes',
      () => muteAccount(callers.as(bob), { accountId: alice.id, hideNotifications: true, durationSeconds: 0 }),
    ],
    ['of a suspended account', () => callers.people.suspend(alice)],
    ['of a limited account that the viewer does not follow', () => callers.people.moderate(alice, { limited: true })],
  ];
  test.each(hidden)('%s', async (_what, hide) => {
    await callers.people.publish(alice, { text: 'cats' });
    expect(await statuses(bob, 'cats')).toEqual(['cats']);
    await hide();
    expect(await statuses(bob, 'cats')).toEqual([]);
  });

  test('of a domain that the viewer blocks', async () => {
    const rita = callers.people.remote('rita', 'there.example', { indexable: true });
    const { id } = await callers.people.receive(rita, 'https://there.example/1', { text: '<p>cats</p>' });
    const found = async () => (await search(callers.as(bob), { ...everything, words: 'cats' })).statusIds;
    expect(await found()).toEqual([id]);
    await blockDomain(callers.as(bob), { domain: 'there.example' });
    expect(await found()).toEqual([]);
  });
});

const everything = { resolve: false, followedOnly: false, offset: 0, limit: 20 };

test('visitors find no statuses', async () => {
  await callers.people.publish(alice, { text: 'cats' });
  expect((await search(callers.visitor(), { ...everything, words: 'cats' })).statusIds).toEqual([]);
});

test('people are found while the index cannot be asked', async () => {
  const silent: Partial<Search> = { find: () => Promise.reject(new Failure('storageUnavailable')) };
  Object.assign(callers.services, { search: silent });
  const found = await search(callers.as(bob), { ...everything, words: 'alice' });
  expect(found).toMatchObject({ accountIds: [alice.id], statusIds: [] });
  const only = search(callers.as(bob), { ...everything, words: 'alice', kind: 'statuses' });
  await expect(only).rejects.toMatchObject({ code: 'storageUnavailable' });
});
