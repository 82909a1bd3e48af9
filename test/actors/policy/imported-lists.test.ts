/** Lists as Mastodon and others export them. */
import { expect, test } from 'vitest';
import { importLimits } from '../../../src/actors/account/imports/limits.ts';
import { csvLine, recordsOf } from '../../../src/actors/policy/csv.ts';
import { isTrue, readImportedList } from '../../../src/actors/policy/imported-lists.ts';

const header = 'Account address,Show boosts,Notify on new posts,Languages';

test.each([
  ['Mastodon', `${header}\nbob@there.test,false,true,"de, en"\n`, ['bob@there.test', 'false', 'true', 'de, en']],
  ['Windows', `\uFEFF${header}\r\nbob@there.test,true,false,\r\n`, ['bob@there.test', 'true', 'false', '']],
  [
    'columns in another order',
    'Languages,ACCOUNT ADDRESS\nde,bob@there.test',
    ['bob@there.test', 'true', 'false', 'de'],
  ],
  ['columns that nobody knows', '#account,note\nbob@there.test,nice', ['bob@there.test', 'true', 'false', '']],
  ['no header', 'bob@there.test\n', ['bob@there.test', 'true', 'false', '']],
])('follows of %s are read', (_name, content, values) => {
  expect(readImportedList('follows', content)?.map((row) => row.values)).toEqual([values]);
});

test.each([
  ['blocks', 'eve@bad.test', ['eve@bad.test']],
  ['mutes', 'Account address,Hide notifications\neve@bad.test,0', ['eve@bad.test', '0']],
  ['domainBlocks', '#domain\nbad.test', ['bad.test']],
  ['lists', 'Birds,bob@there.test', ['Birds', 'bob@there.test']],
  ['bookmarks', 'https://there.test/1', ['https://there.test/1']],
  [
    'filters',
    'Title,Context,Keyword,Whole word,Action,Expires at\nNews,"home, public",war,true,hide,',
    ['News', 'home, public', 'war', 'true', 'hide', ''],
  ],
] as const)('%s are read', (list, content, values) => {
  expect(readImportedList(list, content)?.map((row) => row.values)).toEqual([values]);
});

test.each([
  ['follows', `${header}\nnot an address,true,false,`],
  ['follows', `${header}\nbob@there.test,perhaps,false,`],
  ['follows', '<html><body>Not found</body></html>'],
  ['bookmarks', 'javascript:alert(1)'],
  ['blocks', `${'x'.repeat(importLimits.valueCharactersMax + 1)}@there.test`],
  ['filters', 'News,home,war,true,explode,'],
  ['filters', 'News,home,war,true,hide,never'],
  ['lists', 'Birds'],
] as const)('a row of %s that is none is kept as unreadable: %#', (list, content) => {
  const rows = readImportedList(list, content)!;
  expect(rows.map(({ result }) => result)).toEqual(['unreadable']);
  expect(rows[0]!.values.every((value) => value.length <= importLimits.valueCharactersMax)).toBe(true);
});

test('lines are counted as in the file, and more rows than there may be are refused as a whole', () => {
  expect(readImportedList('blocks', 'a@b\n\n"c@d"\ne f\n')?.map(({ line, result }) => [line, result])).toEqual([
    [1, undefined],
    [3, undefined],
    [4, 'unreadable'],
  ]);
  expect(readImportedList('blocks', 'a@b\n'.repeat(importLimits.rowsMax))).toHaveLength(importLimits.rowsMax);
  expect(readImportedList('blocks', 'a@b\n'.repeat(importLimits.rowsMax + 1))).toBeUndefined();
  expect([readImportedList('blocks', ''), readImportedList('blocks', '\n\n')]).toEqual([[], []]);
  expect([isTrue('T'), isTrue('0'), isTrue(undefined)]).toEqual([true, false, false]);
});

test('what is written reads back', () => {
  const values = ['plain', 'with, comma', 'with "quotes"', 'two\nlines', ''];
  expect(recordsOf(csvLine(values))).toEqual([{ line: 1, values }]);
});
