/** What filters match (specification 2.4: word boundaries; 2.5: expired filters are not applied). */
import { expect, test } from 'vitest';
import type { StoredFilter } from '../../../src/actors/account/filters/filters.queries.ts';
import type { Filter } from '../../../src/actors/account/filters/filters.records.ts';
import type { Status } from '../../../src/actors/account/statuses/statuses.records.ts';
import { ActiveFilters, filterableText, isDroppedIn } from '../../../src/operations/presentation/filters.ts';
import { only } from '../../support/only.ts';

const now = 1_000;

function filter(keywords: readonly (readonly [string, boolean])[], more: Partial<StoredFilter> = {}): StoredFilter {
  return {
    ...{ id: 1n, title: 'A filter', contexts: ['home'], action: 'warn', isIrreversible: false, statuses: [] },
    keywords: keywords.map(([keyword, wholeWord], index) => ({ id: BigInt(index), keyword, wholeWord })),
    ...more,
  };
}

const status = (content: string, more: Partial<Status> = {}) =>
  only<Status>('status', { spoilerText: '', content, attachments: [], poll: undefined, ...more });

function matchedBy(filters: readonly StoredFilter[], text: string, ids: readonly bigint[] = [5n]) {
  return new ActiveFilters(filters, now).matches({}, ids, () => text);
}

test.each<[string, string, boolean, string, boolean]>([
  ['a word', 'cat', true, '<p>The cat sleeps</p>', true],
  ['in another case', 'CaT', true, '<p>the CAT sleeps</p>', true],
  ['at both ends of the text', 'cat', true, '<p>cat</p>', true],
  ['not as a part of a word', 'cat', true, '<p>a category, a bobcat, a cat_2</p>', false],
  ['behind a part of a word', 'cat', true, '<p>category of cat</p>', true],
  ['as a part of a word where that is asked for', 'cat', false, '<p>a category</p>', true],
  ['beside punctuation', 'cat', true, '<p>(cat), "cat"!</p>', true],
  ['letters of other scripts', 'кот', true, '<p>КОТ спит</p>', true],
  ['not as a part of a word of another script', 'кот', true, '<p>коты</p>', false],
  ['an end that is no letter has no boundary', '#cat', true, '<p>x#<span>cat</span></p>', true],
  ['and none behind it either', 'cat!', true, '<p>cat!!</p>', true],
  ['a word of letters beyond 16 bits', '𝒳', true, '<p>𝒳𝒴</p>', false],
  ['a phrase across markup', 'hot takes', true, '<p>my <b>hot</b> takes</p>', true],
  ['characters of expressions as they are', 'a.c (', false, '<p>abc a.c (</p>', true],
  ['a shortcode', ':blob:', true, '<p>hi :blob:</p>', true],
  ['characters that HTML escapes', 'Q&A', true, '<p>the q&amp;a</p>', true],
  ['not what is in an attribute', 'example', true, '<p><a href="https://example.org">here</a></p>', false],
  ['the same letter, composed in another way', 'caf\u00e9', true, '<p>cafe\u0301</p>', true],
])('%s', (_what, keyword, wholeWord, content, expected) => {
  const matches = matchedBy([filter([[keyword, wholeWord]])], filterableText(status(content)));
  expect(matches.map(({ keywords }) => keywords)).toEqual(expected ? [[keyword]] : []);
});

test('the warning, the descriptions of media and the options of a poll are read as well', () => {
  const attachments = [{ description: 'A cat in the sun' }] as Status['attachments'];
  const poll = { options: ['Tea', 'Two birds'] } as Status['poll'];
  const text = filterableText(status('<p>look</p>', { spoilerText: 'Dogs', attachments, poll }));
  const filters = [filter([['cat', true]]), filter([['dogs', true]]), filter([['birds', true]])];
  expect(matchedBy(filters, text).flatMap(({ keywords }) => keywords)).toEqual(['cat', 'dogs', 'birds']);
});

test('every filter that matches is named, with all its keywords and statuses that do', () => {
  const animals = filter([
    ['cat', true],
    ['dog', true],
    ['sun', true],
  ]);
  const one = filter([], { id: 2n, statuses: [{ id: 3n, statusId: 5n }] });
  const other = filter([['moon', true]], { id: 4n });
  expect(matchedBy([animals, one, other], 'the sun, a cat')).toEqual([
    { filter: animals, keywords: ['cat', 'sun'], statusIds: [] },
    { filter: one, keywords: [], statusIds: [5n] },
  ]);
  expect(matchedBy([one], 'nothing', [6n])).toEqual([]);
});

test('an expired filter is not applied, and the next to expire says until when all of this holds', () => {
  const expired = filter([['cat', true]], { expiresAt: now });
  const later = filter([['cat', true]], { id: 2n, expiresAt: now + 5 });
  expect(matchedBy([expired], 'cat')).toEqual([]);
  expect(matchedBy([expired, later], 'cat')).toHaveLength(1);
  expect(new ActiveFilters([expired, later, filter([])], now).validUntil).toBe(now + 5);
  expect(new ActiveFilters([expired], now)).toMatchObject({ isEmpty: true, validUntil: Number.POSITIVE_INFINITY });
});

test('what was found is kept for the version of a status', () => {
  const filters = new ActiveFilters([filter([['cat', true]])], now);
  const [first, second] = [{}, {}];
  const found = filters.matches(first, [5n], () => 'a cat');
  const unread = (): string => {
    throw new Error('the text was read again');
  };
  expect(filters.matches(first, [5n], unread)).toBe(found);
  expect(filters.matches(second, [5n], () => 'a dog')).toEqual([]);
});

test.each([
  [{ isIrreversible: true }, true],
  [{ isIrreversible: false, action: 'hide' }, false],
  [{ isIrreversible: true, contexts: ['public', 'notifications'] }, false],
] satisfies [Partial<Filter>, boolean][])('%o drops at home: %s', (more, expected) => {
  expect(isDroppedIn('home', matchedBy([filter([['cat', true]], more)], 'cat'))).toBe(expected);
});
