import { expect, test } from 'vitest';
import { SeededRandom } from '../sim/random.ts';
import { SortedKeys } from './sorted-keys.ts';

test('what is found between two keys is what one sorted list has there', () => {
  const random = new SeededRandom(1);
  const keys = new SortedKeys();
  const expected = new Set<string>();
  const drawn = () => String(random.below(10_000)).padStart(4, '0');
  for (let change = 0; change < 20_000; change += 1) {
    // Many are added at first, and nearly all taken out at the end.
    const key = drawn();
    if (expected.delete(key)) keys.delete(key);
    else if (random.below(20_000) > change) {
      keys.add(key);
      expected.add(key);
    }
    if (change % 1_000 !== 0) continue;
    const sorted = [...expected].sort();
    const [start, end] = [drawn(), drawn()].sort() as [string, string];
    const inside = sorted.filter((one) => one >= start && one < end);
    const limit = 1 + random.below(2_000);
    expect(keys.between('', '~', Number.POSITIVE_INFINITY, false)).toEqual(sorted);
    expect(keys.between(start, end, limit, false)).toEqual(inside.slice(0, limit));
    expect(keys.between(start, end, limit, true)).toEqual(inside.reverse().slice(0, limit));
  }
  keys.replaceAll(expected);
  expect(keys.between('', '~', Number.POSITIVE_INFINITY, false)).toEqual([...expected].sort());
});
