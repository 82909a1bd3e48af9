/** The byte-bounded map: never above its bound, least recently used entries dropped first. */
import { beforeEach, expect, test } from 'vitest';
import { SizedMap } from '../../src/runtime/sized-map.ts';

const room = 3;
const bytesEach = 200;

let map: SizedMap<string, string>;
let dropped: string[];

beforeEach(() => {
  dropped = [];
  // An entry takes 100 bytes of the map's own.
  const bytesOf = (value: string) => (value === 'large' ? 2 * bytesEach : 0) + bytesEach - 100;
  map = new SizedMap({ bytesMax: room * bytesEach, bytesOf, dropped: (_value, key) => dropped.push(key) });
  for (const key of ['a', 'b', 'c']) map.set(key, key);
});

const keys = () => [...map].map(([key]) => key);

test.each<[string, () => void, readonly string[], readonly string[]]>([
  ['what was set first goes first', () => map.set('d', 'd'), ['b', 'c', 'd'], ['a']],
  ['what is used stays', () => [map.use('a'), map.set('d', 'd')], ['c', 'a', 'd'], ['b']],
  ['what is only looked at does not', () => [map.get('a'), map.set('d', 'd')], ['b', 'c', 'd'], ['a']],
  ['a larger one takes the place of several', () => map.set('d', 'large'), ['d'], ['a', 'b', 'c']],
  ['what is set again counts once', () => map.set('a', 'new'), ['b', 'c', 'a'], ['a']],
  ['what is deleted is gone', () => map.delete('b'), ['a', 'c'], ['b']],
  ['what is not there can be deleted', () => map.delete('z'), ['a', 'b', 'c'], []],
  ['all can go', () => map.clear(), [], ['a', 'b', 'c']],
])('%s', (_what, change, left, gone) => {
  change();
  expect([keys(), dropped]).toEqual([left, gone]);
  expect(map.size).toBe(left.length);
  expect(map.bytes).toBe([...map].reduce((sum, [, value]) => sum + (value === 'large' ? 3 : 1) * bytesEach, 0));
});

test('values are found by their keys', () => {
  expect([map.get('a'), map.use('b'), map.get('z'), map.use('z')]).toEqual(['a', 'b', undefined, undefined]);
});

test('what is larger than the whole map is not kept', () => {
  const small = new SizedMap<string, string>({ bytesMax: 150, bytesOf: () => 100 });
  small.set('a', 'a');
  expect([small.size, small.bytes]).toEqual([0, 0]);
});
