/** The shape of JSON by scanning brackets and commas, compared with its parsed value. */
import fastCheck from 'fast-check';
import { expect, test } from 'vitest';
import { exceededShape } from '../../src/services/json-shape.ts';

/** Spaces make a text too large to be parsed whatever it is made of. */
const padding = ' '.repeat(1_000);

const exceeded = (json: string, levelsMax: number, entriesMax: number) =>
  exceededShape(Buffer.from(json + padding), { levelsMax, entriesMax });

test.each([
  ['as many levels', '[[[]]]', 3, 9, undefined],
  ['a level more', '[[[]]]', 2, 9, 'levelsMax'],
  ['levels of lists and objects', '[{"a":[1]}]', 2, 9, 'levelsMax'],
  ['levels beside each other', '[[],[],[]]', 2, 9, undefined],
  ['as many entries', '{"a":1,"b":2}', 9, 2, undefined],
  ['an entry more', '{"a":1,"b":2,"c":3}', 9, 2, 'entriesMax'],
  ['elements', '[1,2,3]', 9, 2, 'entriesMax'],
  ['empty objects', '[{},{}]', 9, 3, 'entriesMax'],
  ['what exceeds a bound first', '[[[1,2,3,4]]]', 2, 3, 'levelsMax'],
  ['brackets and commas in texts', '["[[[[,,,,","{{{,\\"[[[,\\\\"]', 1, 2, undefined],
  ['commas behind a text that ends with a backslash', '["\\\\",1,2,3]', 9, 3, 'entriesMax'],
  ['bytes of other characters', '["é👩‍👧,[","ü"]', 1, 2, undefined],
  ['a text without its end', '["[[[[[[', 1, 2, undefined],
] as const)('%s', (_what, json, levelsMax, entriesMax, expected) => {
  expect(exceeded(json, levelsMax, entriesMax)).toBe(expected);
});

test('what is small is left to the parser, whatever it is made of', () => {
  expect(exceededShape(Buffer.from('[[[[,,,,'), { levelsMax: 1, entriesMax: 8 })).toBeUndefined();
});

test('of any value as many entries are counted as it has members, elements, and empty lists and objects', () => {
  const countOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const inside = Object.values(value);
    return inside.reduce((sum: number, one) => sum + 1 + countOf(one), inside.length === 0 ? 1 : 0);
  };
  fastCheck.assert(
    fastCheck.property(fastCheck.jsonValue(), (value) => {
      const [json, count] = [JSON.stringify(value), countOf(value)];
      expect(exceeded(json, 1_000, count)).toBeUndefined();
      if (count > 0) expect(exceeded(json, 1_000, count - 1)).toBe('entriesMax');
    }),
  );
});
