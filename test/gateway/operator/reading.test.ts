import { expect, test } from 'vitest';
import { either, UsageError, wholeNumber, word, wordOf } from '../../../src/gateway/operator/commands/reading.ts';

test.each([
  ['a word', () => word({ role: 'admin' }, 'role', ['user', 'admin']), 'admin'],
  ['no word', () => word({}, 'role', ['user']), undefined],
  ['a number', () => wholeNumber({ limit: '7' }, 'limit', 50), 7],
  ['one of two switches', () => either({ enable: true }, 'disable', 'enable'), false],
  ['neither switch', () => either({}, 'disable', 'enable'), undefined],
])('%s is read', (_case, read, expected) => {
  expect(read()).toBe(expected);
});

test.each([
  ['another word', () => wordOf('half', ['open', 'closed']), 'It must be one of open, closed, not half.'],
  ['a number that is too large', () => wholeNumber({ limit: '51' }, 'limit', 50), 'from 1 to 50, not 51.'],
  ['both switches', () => either({ a: true, b: true }, 'a', 'b'), '--a and --b contradict each other.'],
])('%s is refused with a sentence', (_case, read, sentence) => {
  expect(read).toThrow(UsageError);
  expect(read).toThrow(sentence);
});
