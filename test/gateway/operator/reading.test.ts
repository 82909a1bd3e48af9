import { expect, test } from 'vitest';
import {
  dayOf,
  either,
  timeOf,
  UsageError,
  wholeNumber,
  word,
  wordOf,
} from '../../../src/gateway/operator/commands/reading.ts';

test.each([
  ['a word', () => word({ role: 'admin' }, 'role', ['user', 'admin']), 'admin'],
  ['no word', () => word({}, 'role', ['user']), undefined],
  ['a number', () => wholeNumber({ limit: '7' }, 'limit', 50), 7],
  ['one of two switches', () => either({ enable: true }, 'disable', 'enable'), false],
  ['a day', () => dayOf('2028-02-29'), Date.UTC(2028, 1, 29)],
  ['a day as a time', () => timeOf('2027-01-31'), Date.UTC(2027, 0, 31)],
  ['a time of another zone', () => timeOf('2027-01-31T00:30+02:00'), Date.UTC(2027, 0, 30, 22, 30)],
  ['neither switch', () => either({}, 'disable', 'enable'), undefined],
])('%s is read', (_case, read, expected) => {
  expect(read()).toBe(expected);
});

test.each([
  ['another word', () => wordOf('half', ['open', 'closed']), 'It must be one of open, closed, not half.'],
  ['a number that is too large', () => wholeNumber({ limit: '51' }, 'limit', 50), 'from 1 to 50, not 51.'],
  ['a day that no month has', () => dayOf('2027-02-29'), '2027-02-29 is not a date such as 2027-01-31.'],
  ['a time on such a day', () => timeOf('2027-02-31T18:00Z', '--ends-at'), '--ends-at must be a time such as'],
  ['a time without a day', () => timeOf('18:00'), 'It must be a time such as 2027-01-31'],
  ['both switches', () => either({ a: true, b: true }, 'a', 'b'), '--a and --b contradict each other.'],
])('%s is refused with a sentence', (_case, read, sentence) => {
  expect(read).toThrow(UsageError);
  expect(read).toThrow(sentence);
});
