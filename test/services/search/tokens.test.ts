/** Texts as the index compares them. */
import { expect, test } from 'vitest';
import { phraseOf, tokensOf } from '../../../src/services/search/tokens.ts';

const texts: [string, string[]][] = [
  ['Hello, World!', ['hello', 'world']],
  ["don't stop_me 2day", ['don', 't', 'stop_me', '2day']],
  ['Crème brûlée, straße, Łódź, Ærø', ['creme', 'brulee', 'strasse', 'lodz', 'aero']],
  ['ＦＵＬＬ ｗｉｄｔｈ', ['full', 'width']],
  ['Ёлка и чай', ['елка', 'и', 'чаи']],
  ['日本語', ['日本', '本語', '語']],
  ['猫', ['猫']],
  ['データx日', ['デー', 'ータ', 'タ', 'x', '日']],
  ['안녕하세요', ['안녕', '녕하', '하세', '세요', '요']],
  ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
  ['___ 🙂 --', []],
];
test.each(texts)('%s', (text, tokens) => {
  expect(tokensOf(text)).toEqual(tokens);
});

test('what is ASCII has the tokens that it has beside another character', () => {
  const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  for (const character of characters) {
    const text = `One${character}two${character}${character}__${character}3_x`;
    expect(tokensOf(text)).toEqual(tokensOf(`${text} é`).slice(0, -1));
  }
});

test('a query has the same tokens, without the single characters at the end of runs', () => {
  expect(phraseOf('日本語')).toEqual({ tokens: ['日本', '本語'] });
  expect(phraseOf('猫')).toEqual({ tokens: ['猫'], isBeginning: true });
  expect(phraseOf('Crème Brûlée')).toEqual({ tokens: ['creme', 'brulee'] });
  expect(phraseOf('?!')).toBeUndefined();
  expect(phraseOf('東京2024')).toEqual({ tokens: ['東京', '京', '2024'] });
  expect(phraseOf('2024 東京 大阪')).toEqual({ tokens: ['2024', '東京', '京', '大阪'] });
  expect(phraseOf('東京 京')).toEqual({ tokens: ['東京', '京', '京'], isBeginning: true });
});

test('long words and long texts are cut off', () => {
  expect(tokensOf('a'.repeat(100))).toEqual(['a'.repeat(64)]);
  expect(tokensOf('a '.repeat(20_000))).toHaveLength(10_000);
  expect(phraseOf('a '.repeat(100))!.tokens).toHaveLength(32);
});
