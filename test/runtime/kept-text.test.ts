/** Cached texts share their memory with nothing else. */
import { expect, test } from 'vitest';
import { bytesOfText, keptText } from '../../src/runtime/kept-text.ts';

test.each([
  ['nothing', ''],
  ['ASCII', 'a status'],
  ['letters of two bytes', 'mañana'],
  ['emoji', '🐦 and 🐦'],
  ['half a pair of surrogates', 'a\ud800b'],
  ['more than a slab of Node', 'é'.repeat(5_000)],
])('%s', (_what, text) => {
  const bytes = keptText(text);
  expect(bytes.equals(Buffer.from(text))).toBe(true);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});

test.each([
  ['nothing', '', 0],
  ['letters of Latin', 'mañana', 6],
  ['one letter of another script among them', 'mañana ж', 16],
  ['emoji', '🐦', 4],
])('%s, as a string', (_what, text, bytes) => {
  expect(bytesOfText(text)).toBe(bytes);
});
