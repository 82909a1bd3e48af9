/** IdMap behaves like a Map, and also finds entries by the two halves of an id. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { highHalf, IdMap, lowHalf } from '../../../src/operations/presentation/id-map.ts';

const idBits = 63n;

test.each([
  0n,
  1n,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  0x1_0000_0000n,
  (1n << idBits) - 1n,
])('the halves of %d are those of a typed array', (id) => {
  const [low, high] = new Int32Array(BigUint64Array.of(id).buffer);
  expect([lowHalf(id), highHalf(id)]).toEqual([low, high]);
});

test('behaves like a Map', () => {
  // Few ids that share their halves, so that they meet in the table and come again.
  const half = fc.constantFrom(0n, 1n, 2n, 3n, 0x8000_0001n, 0xffff_ffffn);
  const id = fc.tuple(half, half).map(([high, low]) => ((high << 32n) | low) & ((1n << idBits) - 1n));
  const step = fc.tuple(fc.constantFrom('set', 'set', 'delete', 'clear'), fc.oneof(id, fc.bigInt(0n, 2_000n)));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const map = new IdMap<{ readonly number: number }>();
      const model = new Map<bigint, { readonly number: number }>();
      for (const [number, [act, key]] of steps.entries()) {
        if (act === 'set') {
          map.set(key, { number });
          model.set(key, { number });
        } else if (act === 'delete') {
          map.delete(key);
          model.delete(key);
        } else if (number % 50 === 0) {
          map.clear();
          model.clear();
        }
        expect(map.get(key)).toEqual(model.get(key));
      }
      for (const [key, value] of model) expect(map.find(lowHalf(key), highHalf(key))).toEqual(value);
      expect(map.size).toBe(model.size);
      const numbers = (values: Iterable<{ readonly number: number }>) => [...values].map(({ number }) => number).sort();
      expect(numbers(map.values())).toEqual(numbers(model.values()));
    }),
  );
});

test('coming and going for ever does not fill it', () => {
  const map = new IdMap<object>();
  const value = {};
  for (let id = 0n; id < 10_000n; id += 1n) {
    map.set(id, value);
    map.delete(id - 3n);
  }
  expect(map.size).toBe(3);
  expect(map.get(9_999n)).toBe(value);
  expect(map.get(5n)).toBeUndefined();
});
