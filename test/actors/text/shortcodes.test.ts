import { describe, expect, test } from 'vitest';
import { textLimits } from '../../../src/actors/text/limits.ts';
import { isShortcode, shortcodesIn } from '../../../src/actors/text/shortcodes.ts';

const longest = 'a'.repeat(128);

describe('shortcodes in a text', () => {
  test.each<[text: string, shortcodes: string[]]>([
    ['', []],
    ['blob', []],
    [':blob:', ['blob']],
    ['A :blob: is here', ['blob']],
    ['(:blob:)', ['blob']],
    ['one\n:blob:\ntwo', ['blob']],
    ['_:blob:_', ['blob']],
    ['🐦:blob:🐦', ['blob']],
    [':Blob_2:', ['Blob_2']],
    [':one: :two: :one:', ['one', 'two']],
    [':one: :two:', ['one', 'two']],
    ['note: :blob:', ['blob']],
    ['https://birds.example/ https://reeds.example/ :blob:', ['blob']],
    ['https://birds.example/ https://reeds.example/', []],
    [':one::two:', []],
    [':one:two:', []],
    ['a:blob:', []],
    [':blob:a', []],
    ['é:blob:', []],
    ['e\u0301:blob:', []],
    ['𐐀:blob:', []],
    [':blob:鴨', []],
    ['٣:blob:', []],
    ['::blob::', []],
    ['12:30:45', []],
    ['at :30:', ['30']],
    [':b:', []],
    [':bl ob:', []],
    [':bl-ob:', []],
    [':blöb:', []],
    [`:${longest}:`, [longest]],
    [`:${longest}a:`, []],
  ])('%j has %j', (text, shortcodes) => expect(shortcodesIn([text])).toEqual(shortcodes));

  test('are those of all texts, each once', () => {
    expect(shortcodesIn(['', ':two: :one:', 'none', ':one: :three:'])).toEqual(['two', 'one', 'three']);
  });

  test('are bounded', () => {
    const text = Array.from({ length: textLimits.shortcodesMax + 1 }, (_, number) => `:n${number}:`).join(' ');
    expect(shortcodesIn([text, ':blob:'])).toHaveLength(textLimits.shortcodesMax);
  });
});

test.each([
  ['blob', true],
  ['_2', true],
  [longest, true],
  ['b', false],
  ['', false],
  [`${longest}a`, false],
  [':blob:', false],
  ['blöb', false],
  ['blob\n', false],
])('%j is a shortcode: %j', (text, expected) => expect(isShortcode(text)).toBe(expected));
