/** The languages that there are words for, and which of them somebody gets. */
import { expect, test } from 'vitest';
import { isMessage } from '../../../src/services/words/compile.ts';
import { german } from '../../../src/services/words/de/german.ts';
import { english } from '../../../src/services/words/en/english.ts';
import { Languages } from '../../../src/services/words/languages.ts';
import { type Catalogue, Forms } from '../../../src/services/words/message.ts';

/** Messages by their paths: `site.home`. */
function messagesOf(catalogue: Catalogue, above = ''): Map<string, string> {
  const found = Object.entries(catalogue).flatMap(([key, one]) => {
    if (!isMessage(one)) return [...messagesOf(one, `${above}${key}.`)];
    return [[above + key, one instanceof Forms ? Object.values(one.texts).join('\n') : one] as const];
  });
  return new Map(found);
}

test('German is whole', () => {
  const [source, translated] = [messagesOf(english), messagesOf(german)];
  expect([...source.keys()].filter((key) => !translated.has(key))).toEqual([]);
  expect(source.size).toBeGreaterThan(500);
});

test('no message begins or ends with a space, or is empty', () => {
  const untidy = [english, german].flatMap((one) =>
    [...messagesOf(one)].filter(([, text]) => text.trim() !== text || text === ''),
  );
  expect(untidy).toEqual([]);
});

test.each([
  [['de'], 'de'],
  [['de-CH'], 'de'],
  [['fr', 'de'], 'de'],
  [['en-US', 'de'], 'en'],
  [['fr'], 'en'],
  [['*', 'not a code', ''], 'en'],
  [[], 'en'],
] as const)('whoever wants %j gets %s', (wanted, code) => {
  expect(new Languages().best(wanted).language.code).toBe(code);
});

test('the operator chooses for whoever wants none of them', () => {
  expect(new Languages('de').best(['fr']).language.code).toBe('de');
});
