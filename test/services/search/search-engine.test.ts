/** The index over partitions in memory: what it holds of whom, and that it follows every change. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import type { SearchQuery } from '../../../src/services/search/search.ts';
import { Shards } from '../../../src/services/search/shards.ts';
import type { Post } from '../../support/acts.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { idMax, searchOver, type TestSearch, wordsOf } from '../../support/search.ts';

let people: People;
let search: TestSearch;
let alice: Person;
let bob: Person;

beforeEach(() => {
  people = new People();
  [alice, bob] = [people.local('alice', { indexable: true }), people.local('bob')];
  search = searchOver(people.server);
  search.catchUp();
});

const found = async (asker: Person, words: string, more: Partial<SearchQuery> = {}) => {
  const ids = await search.engine.find(wordsOf(asker, words, more));
  return ids.map((id) => people.statusRecord(id)!.text);
};

describe('who finds what', () => {
  test('everybody what is public of authors who want that; its author all of it', async () => {
    await people.publish(alice, { text: 'public cats' });
    await people.publish(alice, { text: 'private cats', visibility: 'private' });
    await people.publish(bob, { text: 'hidden cats' });
    expect(await found(bob, 'cats')).toEqual(['hidden cats', 'public cats']);
    expect(await found(alice, 'cats')).toEqual(['private cats', 'public cats']);
    expect(await found(bob, 'cats', { scope: 'public' })).toEqual(['public cats']);
    expect(await found(bob, 'cats', { scope: 'library' })).toEqual(['hidden cats']);
  });

  const carols: [
    string,
    (carol: Person, post: Post) => Promise<unknown>,
    (carol: Person, post: Post) => Promise<unknown>,
  ][] = [
    ['favourited', (carol, post) => people.favourite(carol, post), (carol, post) => people.unfavourite(carol, post)],
    ['reblogged', (carol, post) => people.reblog(carol, post), (carol, post) => people.unreblog(carol, post)],
    [
      'bookmarked',
      (carol, { id: statusId }) => people.server.call(Account.bookmark.to(carol.id, { statusId })),
      (carol, { id: statusId }) => people.server.call(Account.unbookmark.to(carol.id, { statusId })),
    ],
  ];
  test.each(carols)('who has %s it, until that is undone', async (_name, act, undo) => {
    const carol = people.local('carol');
    const post = await people.publish(bob, { text: 'quiet cats' });
    expect(await found(carol, 'cats')).toEqual([]);
    await act(carol, post);
    expect(await found(carol, 'cats')).toEqual(['quiet cats']);
    expect(await found(alice, 'cats')).toEqual([]);
    await undo(carol, post);
    expect(await found(carol, 'cats')).toEqual([]);
  });

  test('whom it mentions, and who has voted in it', async () => {
    const carol = people.local('carol');
    await people.publish(bob, { text: 'dear alice', mentions: [alice], visibility: 'direct' });
    const poll = { options: ['tabby', 'ginger'], multiple: false, hideTotals: false, expiresInSeconds: 600 };
    await people.publish(bob, { text: 'which', poll });
    expect(await found(alice, 'dear')).toEqual(['dear alice']);
    expect(await found(carol, 'dear')).toEqual([]);
    expect(await found(bob, 'ginger')).toEqual(['which']);
    expect(await found(carol, 'ginger')).toEqual([]);
    const [asked] = await search.engine.find(wordsOf(bob, 'ginger'));
    await people.server.call(Account.vote.to(bob.id, { statusId: asked!, by: carol.id, choices: [0] }));
    expect(await found(carol, 'ginger')).toEqual(['which']);
  });

  test('statuses of other servers likewise, without those that nobody here could find', async () => {
    const rita = people.remote('rita', 'there.example', { indexable: true });
    const sam = people.remote('sam', 'there.example');
    const [ofRita, ofSam] = [
      await people.receive(rita, 'https://there.example/1', { text: '<p>caf\u00e9 life</p>' }),
      await people.receive(sam, 'https://there.example/2', { text: '<p>cafe too</p>' }),
    ];
    const idsOf = (asker: Person) => search.engine.find(wordsOf(asker, 'CAFE'));
    expect(await idsOf(bob)).toEqual([ofRita.id]);
    await people.favourite(bob, ofSam);
    expect(await idsOf(bob)).toEqual([ofSam.id, ofRita.id]);
    expect((await search.engine.state()).statuses).toBe(2);
  });
});

describe('changes', () => {
  test('a deleted status is forgotten', async () => {
    const post = await people.publish(alice, { text: 'short lived' });
    expect(await found(bob, 'short')).toEqual(['short lived']);
    await people.remove(post);
    expect(await search.engine.find(wordsOf(bob, 'short'))).toEqual([]);
    expect((await search.engine.state()).statuses).toBe(0);
  });

  test('all statuses of an account appear when it wants to be found, and disappear when it no longer does', async () => {
    for (let number = 0; number < 30; number += 1) await people.publish(bob, { text: `number ${number}` });
    search.catchUp();
    expect(await found(alice, 'number')).toEqual([]);
    people.change(bob, { indexable: true });
    search.catchUp();
    expect(await found(alice, 'number', { limit: 40 })).toHaveLength(30);
    people.change(bob, { indexable: false });
    search.catchUp();
    expect(await found(alice, 'number')).toEqual([]);
    expect(await found(bob, 'number', { limit: 40 })).toHaveLength(30);
  });
});

test('reading everything writes each entry once, whoever is interested in it', async () => {
  const fans = Array.from({ length: 12 }, (_, number) => people.local(`fan${number}`));
  for (let number = 0; number < 12; number += 1) {
    const post = await people.publish(fans[number]!, { text: `number ${number}` });
    for (const fan of fans) await people.favourite(fan, post);
  }
  const puts = vi.spyOn(Shards.prototype, 'put');
  onTestFinished(() => puts.mockRestore());
  const fresh = searchOver(people.server);
  fresh.catchUp();
  expect(puts).toHaveBeenCalledTimes(12);
  expect(await fresh.engine.find(wordsOf(fans[3]!, 'number'))).toHaveLength(12);
});

describe('queries', () => {
  const answers: [string, Partial<SearchQuery>, string[]][] = [
    ['cats', {}, ['cats, and dogs', 'cats only']],
    ['cats dogs', {}, ['cats, and dogs']],
    ['cats', { excluded: [{ phrase: { tokens: ['dogs'] } }] }, ['cats only']],
    ['', { required: [{ phrase: { tokens: ['and', 'dogs'] } }] }, ['cats, and dogs']],
    ['', { required: [{ phrase: { tokens: ['dogs', 'and'] } }] }, []],
    ['', { required: [{ tag: 'pets' }] }, ['look #pets']],
    ['', { required: [{ property: 'link' }] }, ['see https://example.org/page']],
    ['', { required: [{ property: 'media' }] }, ['picture']],
    ['', { required: [{ property: 'image' }], excluded: [{ property: 'reply' }] }, ['picture']],
    ['', { required: [{ language: 'de' }] }, ['katzen']],
    ['cats', { limit: 1 }, ['cats, and dogs']],
    ['"OR" * - NOT', {}, []],
    ['日本', {}, ['私は日本語を話す']],
    ['語', {}, ['私は日本語を話す']],
    ['日話', {}, []],
    ['東京2024', {}, ['東京2024年']],
    ['2024', {}, ['東京2024年']],
    ['', { required: [{ phrase: { tokens: ['2024', '年'] } }] }, ['東京2024年']],
    ['ｅｘａｍｐｌｅ', {}, ['see https://example.org/page']],
  ];
  test.each(answers)('%s %o', async (words, more, texts) => {
    await people.publish(alice, { text: 'cats only' });
    await people.publish(alice, { text: 'cats, and dogs' });
    await people.publish(alice, { text: 'look #pets', tags: ['pets'] });
    await people.publish(alice, { text: 'see https://example.org/page' });
    await people.publish(alice, { text: 'picture', withMedia: true });
    await people.publish(alice, { text: 'katzen', language: 'de-AT' });
    await people.publish(alice, { text: '私は日本語を話す' });
    await people.publish(alice, { text: '東京2024年' });
    expect(await found(bob, words, more)).toEqual(texts);
  });

  test('ids bound the answer on both sides', async () => {
    const posts = [];
    for (let number = 0; number < 4; number += 1) posts.push(await people.publish(alice, { text: `cats ${number}` }));
    expect(await found(bob, 'cats', { minId: posts[0]!.id, maxId: posts[3]!.id })).toEqual(['cats 2', 'cats 1']);
    expect(await found(bob, 'cats', { minId: posts[3]!.id, maxId: idMax })).toEqual([]);
  });

  test('a status that very many have in their library is found by them only', async () => {
    const post = await people.publish(bob, { text: 'famous' });
    const fans = Array.from({ length: 260 }, (_, number) => people.local(`fan${number}`));
    for (const fan of fans) await people.favourite(fan, post);
    search.catchUp();
    expect(await found(fans[0]!, 'famous')).toEqual(['famous']);
    expect(await found(fans[259]!, 'famous', { scope: 'library' })).toEqual(['famous']);
    expect(await found(alice, 'famous')).toEqual([]);
  });
});
