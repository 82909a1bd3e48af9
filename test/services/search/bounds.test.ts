/** One search takes a bounded time, however it is made, and others have their turn meanwhile. */
import { beforeEach, expect, test } from 'vitest';
import { readQuery } from '../../../src/operations/search/query-language.ts';
import { searchLimits } from '../../../src/services/search/limits.ts';
import type { SearchQuery } from '../../../src/services/search/search.ts';
import { edit, type Post } from '../../support/acts.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { openIndex, searchOver, type TestSearch, wordsOf } from '../../support/search.ts';

const shardEntriesMax = 4;
let people: People;
let alice: Person;
let bob: Person;
let posts: Post[];
/** A clock that takes so many milliseconds each time somebody looks at it. */
let tickMilliseconds: number;
let search: TestSearch;

beforeEach(async () => {
  people = new People();
  [alice, bob] = [people.local('alice', { indexable: true }), people.local('bob')];
  posts = [];
  for (let number = 0; number < 40; number += 1) {
    const text = ['cats', number % 2 === 0 ? 'even' : 'odd', number % 3 === 0 ? 'third' : 'rest', `n${number}`];
    posts.push(await people.publish(alice, { text: text.join(' ') }));
  }
  tickMilliseconds = 0;
  let time = 0;
  const monotonic = () => (time += tickMilliseconds);
  search = searchOver(people.server, { monotonic, shardEntriesMax });
  search.catchUp();
});

const textsOf = (ids: readonly bigint[]) => ids.map((id) => people.statusRecord(id)!.text.split(' ').at(-1));
const found = async (words: string, more: Partial<SearchQuery> = {}) =>
  textsOf(await search.engine.find(wordsOf(bob, words, more)));
const expected = (isFound: (number: number) => boolean, limit = 20) =>
  posts
    .map((_post, number) => number)
    .filter(isFound)
    .reverse()
    .slice(0, limit)
    .map((number) => `n${number}`);

test('many tables answer as one does', async () => {
  expect(await found('cats')).toEqual(expected(() => true));
  expect(await found('even third', { limit: 3 })).toEqual(expected((number) => number % 6 === 0, 3));
  expect(await found('n7')).toEqual(['n7']);
  const between = { minId: posts[3]!.id, maxId: posts[30]!.id, limit: 40 };
  expect(await found('odd', between)).toEqual(expected((number) => number > 3 && number < 30 && number % 2 === 1, 40));
  await people.remove(posts[39]!);
  await people.server.call(edit(posts[5]!, { text: 'dogs n5' }));
  expect(await found('odd', { limit: 40 })).toEqual(
    expected((number) => number % 2 === 1 && ![5, 39].includes(number), 40),
  );
  expect(await found('dogs')).toEqual(['n5']);
  expect((await search.engine.state()).statuses).toBe(39);
});

test('the order in which statuses came into the index does not matter', () => {
  const file = openIndex(':memory:', shardEntriesMax);
  const ids = Array.from({ length: 40 }, (_, number) => BigInt((number * 17) % 40) + 1n);
  for (const id of ids) file.transact(() => file.putEntry(id, { body: `w ${id % 5n}`, tags: '', facts: 's p' }));
  const all = (minId: bigint, maxId: bigint) =>
    file.shardsBetween(minId, maxId).flatMap((shard) => file.find(shard, 'body : "w"', minId, maxId, 40));
  const sorted = (found: readonly bigint[]) => [...found].sort((one, other) => Number(one - other));
  expect(sorted(all(-1n, 100n))).toEqual(sorted(ids));
  expect(sorted(all(10n, 20n))).toEqual([11n, 12n, 13n, 14n, 15n, 16n, 17n, 18n, 19n]);
  const positions = [];
  let position = { shard: 0, status: -1n };
  for (;;) {
    const some = file.entriesAfter(position, 7);
    positions.push(...some.map(({ status }) => status));
    if (some.length < 7) break;
    position = some.at(-1)!;
  }
  expect(sorted(positions)).toEqual(sorted(ids));
  let merges = 0;
  while (file.mergeOn()) merges += 1;
  expect(merges).toBeGreaterThan(0);
  expect(sorted(all(-1n, 100n))).toEqual(sorted(ids));
  file.transact(() => {
    for (const id of ids) file.putEntry(id, undefined);
  });
  expect([all(-1n, 100n), file.countEntries()]).toEqual([[], 0]);
  file.close();
});

test('entries of different years are in different tables, in whatever order they come', () => {
  const file = openIndex(':memory:', shardEntriesMax);
  const year = 2n ** 51n;
  const ids = Array.from({ length: 12 }, (_, number) => BigInt(number % 3) * year + BigInt(number));
  file.transact(() => {
    for (const id of ids) file.putEntry(id, { body: 'w', tags: '', facts: 's p' });
  });
  const ranges = file.shardsBetween(-1n, 10n * year).map(({ lowest, highest }) => [lowest / year, highest / year]);
  expect(ranges).toEqual([
    [2n, 2n],
    [1n, 1n],
    [0n, 0n],
  ]);
  file.close();
});

const hostile = [
  'a',
  '-',
  '-cats',
  'の',
  'cats -cats',
  Array.from({ length: 250 }, () => 'a').join(' '),
  `"${Array.from({ length: 120 }, (_, index) => 'ab'[index % 2]).join(' ')}"`,
  Array.from({ length: 200 }, (_, index) => `-${index}`).join(' '),
  Array.from({ length: 120 }, () => 'の').join(' '),
  '日本'.repeat(200),
  'before:9999-12-31 after:1970-01-01 has:link -has:link',
  `${'cats '.repeat(30)}-cats`,
  '"'.repeat(400),
  ') OR (body:*',
  'NEAR(a b)',
  '* * *',
  '\0cats\u{10ffff}',
];
test.each(hostile)('%j is answered', async (words) => {
  const read = readQuery(words, { askerId: bob.id, accountOf: () => undefined });
  if (read === undefined) return;
  expect(read.required.length + read.excluded.length).toBeLessThanOrEqual(searchLimits.termsMax);
  const beginnings = [...read.required, ...read.excluded].filter((term) => 'phrase' in term && term.phrase.isBeginning);
  expect(beginnings.length).toBeLessThanOrEqual(searchLimits.loneCharactersMax);
  expect(await search.engine.find({ ...read, askerId: bob.id, limit: 20 })).toEqual(expect.any(Array));
});

test('what is required and excluded is not looked for', async () => {
  tickMilliseconds = 1_000;
  const cats = { phrase: { tokens: ['cats'] } };
  expect(await found('cats', { excluded: [cats] })).toEqual([]);
  expect(await found('even', { excluded: [{ phrase: { tokens: ['third'] } }], limit: 1 })).toEqual(['n38']);
});

test('a search that takes too long ends with what it has found, which is the newest', async () => {
  tickMilliseconds = 30;
  const some = await found('cats', { limit: 40 });
  expect(some.length).toBeGreaterThan(4);
  expect(some.length).toBeLessThan(40);
  expect(some).toEqual(expected(() => true, some.length));
});

test('between two tables others have their turn: who asks much waits for himself', async () => {
  tickMilliseconds = 5;
  const ended: string[] = [];
  const ask = async (who: Person, name: string) => {
    await search.engine.find(wordsOf(who, 'cats', { limit: 40 }));
    ended.push(name);
  };
  const many = Array.from({ length: 5 }, (_, number) => ask(alice, `alice ${number}`));
  await Promise.all([...many, ask(bob, 'bob')]);
  expect(ended.indexOf('bob')).toBeLessThanOrEqual(1);
  expect(ended.filter((name) => name !== 'bob')).toEqual([0, 1, 2, 3, 4].map((number) => `alice ${number}`));
});

test('what has waited too long is not begun', async () => {
  tickMilliseconds = searchLimits.waitMilliseconds + 1;
  const first = found('cats');
  const second = found('cats');
  expect(await first).not.toEqual([]);
  await expect(second).rejects.toMatchObject({ code: 'expired' });
  tickMilliseconds = 0;
  expect(await found('cats')).toHaveLength(20);
});

test('an index that is closed in the middle of a search ends it', async () => {
  tickMilliseconds = 5;
  const asked = search.engine.find(wordsOf(bob, 'cats', { limit: 40 }));
  search.engine.stop();
  await expect(asked).rejects.toMatchObject({ code: 'storageUnavailable' });
});
