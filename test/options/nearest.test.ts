import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearestName } from '../../src/options/nearest.ts';

test.each([
  ['port', 'port', 0],
  ['prot', 'port', 2],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
])('from %s to %s it takes %i letters', (left, right, distance) => {
  expect(editDistance(left, right)).toBe(distance);
});

test('the distance is the same in both directions and 0 for equal texts only', () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (left, right) => {
      const distance = editDistance(left, right);
      expect(editDistance(right, left)).toBe(distance);
      expect(distance === 0).toBe(left === right);
    }),
  );
});

test.each([
  ['PROT', 'PORT'],
  ['datadirectory', 'dataDirectory'],
  ['data', 'dataDirectory'],
  ['xylophone', undefined],
  ['x', undefined],
])('%s means %s', (given, expected) => {
  expect(nearestName(given, ['PORT', 'dataDirectory', 'gateways'])).toBe(expected);
});
