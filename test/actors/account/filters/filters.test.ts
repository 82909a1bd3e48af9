/** Filters as stored by their account (specification 2.3, 2.4, 4.6). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { filtersChanged } from '../../../../src/actors/account/filters/filters.events.ts';
import type { FilterChanges, KeywordChange } from '../../../../src/actors/account/filters/filters.messages.ts';
import {
  filtersOf,
  findFilterKeyword,
  findFilterStatus,
} from '../../../../src/actors/account/filters/filters.queries.ts';
import { filterLimits } from '../../../../src/actors/account/filters/limits.ts';
import type { Id } from '../../../../src/runtime/ids.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  people.server.forgetEvents();
});

interface Change {
  filterId?: Id;
  changes?: FilterChanges;
  keywords?: KeywordChange[];
  isOfOneKeyword?: boolean;
  isRemovedWhenEmpty?: boolean;
}

const change = ({ changes = {}, keywords = [], ...rest }: Change, person = alice) =>
  people.server.call(Account.changeFilter.to(person.id, { changes, keywords, ...rest }));
const make = (...keywords: string[]) =>
  change({
    changes: { title: 'Spoilers', contexts: ['home'] },
    keywords: keywords.map((keyword) => ({ keyword })),
  });
const filters = (person = alice) => filtersOf(people.server.read, person.id);
const words = () => filters().map(({ keywords }) => keywords.map(({ keyword }) => keyword));
const changes = () => people.server.events(filtersChanged).length;

test('are made with their keywords, in one turn and with one event', async () => {
  const { filterId, addedKeywordIds } = await make('one', 'two');
  expect(filters()).toEqual([
    {
      ...{ id: filterId, title: 'Spoilers', contexts: ['home'], action: 'warn', isIrreversible: false },
      ...{ expiresAt: undefined, statuses: [] },
      keywords: [
        { id: addedKeywordIds[0], keyword: 'one', wholeWord: true },
        { id: addedKeywordIds[1], keyword: 'two', wholeWord: true },
      ],
    },
  ]);
  expect([filters(bob), changes()]).toEqual([[], 1]);
});

test('keywords are made, changed and removed in one request, with one event', async () => {
  const { filterId, addedKeywordIds } = await make('one', 'two');
  people.server.forgetEvents();
  const [one, two] = addedKeywordIds;
  await change({
    filterId,
    changes: { title: 'Films', action: 'hide', expiresInSeconds: 60 },
    keywords: [
      { id: one, keyword: 'uno' },
      { id: two, isRemoved: true },
      { keyword: 'tres', wholeWord: false },
    ],
  });
  const [filter] = filters();
  expect(filter).toMatchObject({ title: 'Films', action: 'hide', contexts: ['home'] });
  expect(filter!.expiresAt).toBe(people.server.clock.now() + 60_000);
  expect(filter!.keywords).toMatchObject([
    { id: one, keyword: 'uno', wholeWord: true },
    { keyword: 'tres', wholeWord: false },
  ]);
  expect(changes()).toBe(1);
});

test.each<[string, (filterId: Id, keywordId: Id) => Change, string]>([
  [
    'an unknown keyword',
    (filterId) => ({ filterId, keywords: [{ keyword: 'new' }, { id: 9n, keyword: 'x' }] }),
    'notFound',
  ],
  ['an unknown filter', () => ({ filterId: 9n, keywords: [{ keyword: 'new' }] }), 'notFound'],
  ['a new keyword without words', (filterId) => ({ filterId, keywords: [{ wholeWord: true }] }), 'validation'],
  ['a filter without a title', () => ({ changes: { contexts: ['home'] } }), 'validation'],
  ['a filter for no place', () => ({ changes: { title: 'x' } }), 'validation'],
])('%s changes nothing', async (_what, wish, code) => {
  const { filterId, addedKeywordIds } = await make('one');
  people.server.forgetEvents();
  const before = filters();
  await expect(change(wish(filterId, addedKeywordIds[0]!))).rejects.toMatchObject({ code });
  expect([filters(), changes()]).toEqual([before, 0]);
});

test("nobody reaches somebody else's filter", async () => {
  const { filterId } = await make('one');
  await expect(change({ filterId, changes: { title: 'x' } }, bob)).rejects.toMatchObject({ code: 'notFound' });
  await expect(people.server.call(Account.removeFilter.to(bob.id, { filterId }))).rejects.toMatchObject({
    code: 'notFound',
  });
});

describe('as version 1 sees them, keyword by keyword (specification 2.5)', () => {
  const shared: FilterChanges = { action: 'hide', isIrreversible: true };

  test('what several keywords share is not changed for one of them, the words are', async () => {
    const { filterId, addedKeywordIds } = await make('one', 'two');
    const keywords = [{ id: addedKeywordIds[0], keyword: 'uno' }];
    await expect(change({ filterId, changes: shared, keywords, isOfOneKeyword: true })).rejects.toMatchObject({
      code: 'validation',
    });
    expect(words()).toEqual([['one', 'two']]);
    await change({ filterId, changes: { action: 'warn' }, keywords, isOfOneKeyword: true });
    expect(words()).toEqual([['uno', 'two']]);
  });

  test('irreversible holds until version 2 says the action anew', async () => {
    const { filterId } = await make('one');
    await change({ filterId, changes: shared, isOfOneKeyword: true });
    expect(filters()).toMatchObject([{ action: 'hide', isIrreversible: true }]);
    await change({ filterId, changes: { title: 'Other' } });
    expect(filters()).toMatchObject([{ isIrreversible: true }]);
    await change({ filterId, changes: { action: 'hide' } });
    expect(filters()).toMatchObject([{ action: 'hide', isIrreversible: false }]);
  });

  test('a filter goes with its last keyword, unless it holds a status', async () => {
    const { filterId, addedKeywordIds } = await make('one');
    const last = { filterId, keywords: [{ id: addedKeywordIds[0], isRemoved: true }], isRemovedWhenEmpty: true };
    await change(last);
    expect(filters()).toEqual([]);
    const second = await make('two');
    await people.server.call(Account.addFilterStatus.to(alice.id, { filterId: second.filterId, statusId: 7n }));
    await change({
      ...last,
      filterId: second.filterId,
      keywords: [{ id: second.addedKeywordIds[0], isRemoved: true }],
    });
    expect(words()).toEqual([[]]);
  });
});

test('hold single statuses, each once', async () => {
  const { filterId } = await make();
  const add = () => people.server.call(Account.addFilterStatus.to(alice.id, { filterId, statusId: 7n }));
  const { filterStatusId } = await add();
  await expect(add()).rejects.toMatchObject({ code: 'validation' });
  expect(findFilterStatus(people.server.read, alice.id, filterStatusId)?.status).toEqual({
    ...{ id: filterStatusId, statusId: 7n },
  });
  const remove = () => people.server.call(Account.removeFilterStatus.to(alice.id, { filterId, filterStatusId }));
  await remove();
  await expect(remove()).rejects.toMatchObject({ code: 'notFound' });
  expect([filters()[0]!.statuses, changes()]).toEqual([[], 3]);
});

test('are removed with their keywords', async () => {
  const { filterId, addedKeywordIds } = await make('one');
  await people.server.call(Account.removeFilter.to(alice.id, { filterId }));
  expect(filters()).toEqual([]);
  expect(findFilterKeyword(people.server.read, alice.id, addedKeywordIds[0]!)).toBeUndefined();
});

test('are bounded, by number and by the keywords of all', async () => {
  const many = Array.from({ length: filterLimits.keywordsPerFilterMax }, (_, index) => `word ${index}`);
  const full = filterLimits.keywordsMax / filterLimits.keywordsPerFilterMax;
  for (let count = 0; count < full; count += 1) await make(...many);
  await expect(make('one too many')).rejects.toMatchObject({ code: 'validation' });
  for (let count = full; count < filterLimits.filtersMax; count += 1) await make();
  await expect(make()).rejects.toMatchObject({ code: 'validation' });
  expect(filters()).toHaveLength(filterLimits.filtersMax);
});
