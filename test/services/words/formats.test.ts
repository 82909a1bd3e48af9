/** Numbers and times in two languages. */
import { describe, expect, test } from 'vitest';
import { Formats } from '../../../src/services/words/formats.ts';
import { html } from '../../../src/services/words/html.ts';

const [english, german] = [new Formats('en-GB'), new Formats('de')];

/** With plain spaces. */
function plain(text: string): string {
  return text.replace(/\s/g, ' ');
}

describe('how long ago', () => {
  const now = Date.UTC(2025, 5, 15, 12);
  test.each([
    [-5_000, 'now', 'jetzt'],
    [59_000, 'now', 'jetzt'],
    [60_000, '1m', '1 Min.'],
    [3_600_000 - 1, '59m', '59 Min.'],
    [3_600_000, '1h', '1h'],
    [24 * 3_600_000, '1d', '1 T'],
    [7 * 24 * 3_600_000, '8 Jun', '8. Juni'],
    [365 * 24 * 3_600_000, '15 Jun 2024', '15. Juni 2024'],
  ])('%i milliseconds', (age, words, inGerman) => {
    expect(english.age(now - age, now)).toBe(words);
    expect(plain(german.age(now - age, now))).toBe(inGerman);
  });
});

test.each([
  [5 * 60_000, '5 minutes', '5 Minuten'],
  [3_600_000, '1 hour', '1 Stunde'],
  [36 * 3_600_000, '36 hours', '36 Stunden'],
  [3 * 24 * 3_600_000, '3 days', '3 Tage'],
])('a duration of %i milliseconds', (milliseconds, words, inGerman) => {
  expect(english.duration(milliseconds)).toBe(words);
  expect(german.duration(milliseconds)).toBe(inGerman);
});

test('numbers, shares, days and moments', () => {
  const moment = Date.UTC(2025, 10, 3, 4, 5);
  expect([english.number(1_234), german.number(1_234)]).toEqual(['1,234', '1.234']);
  expect([english.compact(1_200), plain(german.compact(1_200_000))]).toEqual(['1.2k', '1,2 Mio.']);
  expect([english.share(0.25), plain(german.share(0.25))]).toEqual(['25%', '25 %']);
  expect([english.daysAgo(0), english.daysAgo(1), german.daysAgo(3)]).toEqual(['today', 'yesterday', 'vor 3 Tagen']);
  expect([english.month(moment), german.month(moment)]).toEqual(['November 2025', 'November 2025']);
  expect([english.day(moment), german.day(moment)]).toEqual(['3 November 2025', '3. November 2025']);
  expect([english.shortDay(moment), german.shortDay(moment)]).toEqual(['3 Nov 2025', '3. Nov. 2025']);
  expect(english.exactTime(moment)).toBe('3 November 2025 at 04:05 UTC');
  expect(german.exactTime(moment)).toBe('3. November 2025 um 04:05 UTC');
});

test('a list escapes what is no markup', () => {
  const items = [html`<b>A</b>`, 'B & C', 'D'];
  expect(english.list(items).markup).toBe('<b>A</b>, B &amp; C and D');
  expect(german.list(items.slice(0, 2)).markup).toBe('<b>A</b> und B &amp; C');
});
