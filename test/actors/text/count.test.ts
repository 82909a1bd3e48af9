import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { charactersPerUrl, countCharacters, countStatusCharacters } from '../../../src/actors/text/count.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const graphemes = (text: string) => [...segmenter.segment(text.normalize('NFC'))].length;

describe('characters of a post', () => {
  const cases: [text: string, spoilerText: string, characters: number][] = [
    ['', '', 0],
    ['abc', '', 3],
    ['abc', 'warning', 10],
    ['a\nb\r\nc', '', 5],
    ['é', '', 1],
    ['e\u0301', '', 1],
    ['👨‍👩‍👧🇩🇪1️⃣', '', 3],
    ['日本語', '', 3],
    ['नमस्ते', '', graphemes('नमस्ते')],
    ['https://example.org/', '', charactersPerUrl],
    [`see https://example.org/${'a'.repeat(500)}!`, '', 4 + charactersPerUrl + 1],
    ['http://a.example https://b.example', '', 2 * charactersPerUrl + 1],
    ['gemini://a.example', '', 18],
    ['example.org', '', 11],
    ['@alice', '', 6],
    ['@alice@example.org!', '', 7],
    ['@alice@example.org:8443 hi', '', 9],
    ['alice@example.org', '', 17],
    ['#tag', '', 4],
    ['https://example.org', 'https://example.org', charactersPerUrl + 19],
  ];
  test.each(cases)('%j with the warning %j', (text, spoilerText, characters) => {
    expect(countStatusCharacters(text, spoilerText)).toBe(characters);
  });

  test('counting stops above the bound', () => {
    expect(countStatusCharacters('a'.repeat(500), '', 500)).toBe(500);
    expect(countStatusCharacters('a'.repeat(100_000), '', 500)).toBe(501);
    expect(countStatusCharacters('🇩🇪'.repeat(100_000), '', 500)).toBe(501);
    expect(countStatusCharacters('a'.repeat(400), 'b'.repeat(400), 500)).toBeGreaterThan(500);
    expect(countStatusCharacters('https://example.org/ '.repeat(1_000), '', 500)).toBeGreaterThan(500);
  });
});

const characters = fc.constantFrom(
  ...[
    'a',
    ' ',
    '\n',
    '\r\n',
    '\u0301',
    '\u200d',
    '\ufe0f',
    '\u20e3',
    '©',
    '®',
    '\u00ad',
    '1',
    '👩',
    '🏽',
    '❤',
    '🇩',
    '🇪',
  ],
  ...[
    'ᄀ',
    '가',
    'ᆨ',
    '각',
    'が',
    'か',
    '\u3099',
    'ー',
    '語',
    '。',
    'Ж',
    '\u0483',
    '\u0600',
    'क',
    '्',
    'ष',
    'ก',
    'ำ',
    'é',
    'ώ',
  ],
  ...['\u0e33', '\u{1f3f4}\u{e0067}\u{e007f}', '\ud83d', '\ude00'],
);

test('counting by runs equals counting by segments', () => {
  fc.assert(
    fc.property(fc.array(characters, { maxLength: 24 }), (parts) => {
      const text = parts.join('');
      expect(countCharacters(text)).toBe(graphemes(text));
    }),
    { numRuns: 5_000 },
  );
});
