/** Which values may leave a turn: plain data only. */
import { describe, expect, test } from 'vitest';
import { copyOfPlainData, freezePlainData, sizeOfPlainData, withoutUndefined } from '../../src/runtime/plain-data.ts';

class Person {
  readonly name = 'alice';
}
const circle: unknown[] = [];
circle.push(circle);

describe('a copy', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['an id', 2n ** 63n],
    ['a text', 'text'],
    ['bytes', Uint8Array.of(1, 2)],
    ['a view of other bytes', Uint8Array.of(1, 2, 3, 4).subarray(1, 3)],
    ['a list with a gap', [1, undefined, 2]],
    ['an object without a prototype', Object.assign(Object.create(null), { list: [{ deep: true }] })],
  ])('of %s is the same and shares nothing', (_what, value) => {
    const copy = copyOfPlainData(value);
    expect(copy).toEqual(value);
    if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
  });

  test.each([
    ['a function', { list: [() => 1] }, 'function'],
    ['a symbol', Symbol('odd'), 'symbol'],
    ['an instance of a class', new Person(), 'Person'],
    ['a date', new Date(0), 'Date'],
    ['a map', new Map(), 'Map'],
    ['a promise', Promise.resolve(1), 'Promise'],
    ['a circle', circle, 'deep'],
  ])('of %s is refused', (_what, value, named) => {
    expect(() => copyOfPlainData(value)).toThrow('not plain data');
    expect(() => copyOfPlainData(value)).toThrow(named);
  });
});

test('freezing goes down to the leaves, and leaves bytes as they are', () => {
  const value = freezePlainData({ list: [{ deep: 1 }], bytes: Uint8Array.of(1), none: null });
  expect([value, value.list, value.list[0]].every((part) => Object.isFrozen(part))).toBe(true);
  value.bytes[0] = 2;
  expect(value.bytes).toEqual(Uint8Array.of(2));
});

test('a copy without undefined fields has all others', () => {
  const lean = withoutUndefined({ id: 1n, parent: undefined, note: '', list: [undefined], none: null, flag: false });
  expect(lean).toStrictEqual({ id: 1n, note: '', list: [undefined], none: null, flag: false });
});

test('the size of plain data counts what is long or many, and ends where it is nested too deeply', () => {
  const sizes = ['x'.repeat(1_000), new Uint8Array(2_000), { list: new Array(1_000).fill(1n) }].map((value) =>
    sizeOfPlainData(value),
  );
  expect(sizes).toEqual([2_008, 2_016, 16 + 8 + 16 + 8_000]);
  expect([null, undefined, true, 7, 7n, [], {}].map((value) => sizeOfPlainData(value))).toEqual([
    8, 8, 8, 8, 8, 16, 16,
  ]);
  let nested: unknown = 1;
  for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
  expect(sizeOfPlainData(nested)).toBeGreaterThan(64 * 16);
});
