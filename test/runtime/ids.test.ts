import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotOfActor } from '../../src/runtime/contract.ts';
import {
  composeId,
  firstIdAt,
  IdGenerator,
  idsPerMillisecond,
  parseId,
  slotCount,
  slotOfId,
  slotOfKey,
  timeOfId,
} from '../../src/runtime/ids.ts';

const now = 1_700_000_000_000;

/** A time that fits 48 bits, a slot and a counter. */
const parts = fc.tuple(
  fc.integer({ min: 0, max: 2 ** 47 - 1 }),
  fc.integer({ min: 0, max: slotCount - 1 }),
  fc.integer({ min: 0, max: idsPerMillisecond - 1 }),
);

describe('the parts of an id', () => {
  test('are the time, the slot and the counter, from high to low', () => {
    expect(composeId(1, 0, 0)).toBe(65_536n);
    expect(composeId(0, 1, 0)).toBe(64n);
    expect(composeId(0, 0, 1)).toBe(1n);
    expect(composeId(now, 1023, 63)).toBe((BigInt(now) << 16n) | 0xffffn);
  });

  test('come out as they went in, and order ids by time first', () => {
    fc.assert(
      fc.property(parts, parts, ([time, slot, counter], [laterBy]) => {
        const id = composeId(time, slot, counter);
        expect([timeOfId(id), slotOfId(id)]).toEqual([time, slot]);
        const later = Math.min(time + 1 + laterBy, 2 ** 48 - 1);
        expect(composeId(later, 0, 0) > id).toBe(true);
      }),
    );
  });

  test('bound a page by time', () => {
    expect(firstIdAt(now)).toBe(composeId(now, 0, 0));
    expect(firstIdAt(now) > composeId(now - 1, slotCount - 1, idsPerMillisecond - 1)).toBe(true);
    expect(firstIdAt(-5)).toBe(0n);
  });
});

describe('the slot of a name', () => {
  // The first two bytes of SHA-256: alice 2bd8, bob 81b6, the empty string e3b0.
  test.each([
    ['alice', (0x2b << 2) | (0xd8 >> 6)],
    ['bob', (0x81 << 2) | (0xb6 >> 6)],
    ['', (0xe3 << 2) | (0xb0 >> 6)],
  ])('%s', (name, slot) => {
    expect(slotOfKey(name)).toBe(slot);
    expect(slotOfActor(name)).toBe(slot);
  });

  test('the slot of an actor with an id is inside the id', () => {
    expect(slotOfActor(composeId(now, 777, 5))).toBe(777);
  });
});

describe('an id read from text', () => {
  test.each([
    ['0', 0n],
    ['00', 0n],
    ['9223372036854775807', 9_223_372_036_854_775_807n],
    ['9223372036854775808', undefined],
    ['18446744073709551616', undefined],
    ['999999999999999999999', undefined],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['0x10', undefined],
    [' 1', undefined],
    ['1\n', undefined],
    ['١', undefined],
  ])('%j', (text, id) => {
    expect(parseId(text)).toBe(id);
  });
});

describe('live ids', () => {
  test('count within a millisecond and begin again in the next', () => {
    const generator = new IdGenerator(5, 0);
    expect([generator.next(now), generator.next(now), generator.next(now + 1)]).toEqual([
      composeId(now, 5, 0),
      composeId(now, 5, 1),
      composeId(now + 1, 5, 0),
    ]);
  });

  test('the 65th of a millisecond borrows the next one, and the clock catches up', () => {
    const generator = new IdGenerator(5, 0);
    const ids = Array.from({ length: 130 }, () => generator.next(now));
    expect(ids[63]).toBe(composeId(now, 5, 63));
    expect(ids[64]).toBe(composeId(now + 1, 5, 0));
    expect(ids[128]).toBe(composeId(now + 2, 5, 0));
    expect(generator.lastMillisecond).toBe(now + 2);
    expect(generator.next(now + 1)).toBe(composeId(now + 2, 5, 2));
    expect(generator.next(now + 3)).toBe(composeId(now + 3, 5, 0));
  });

  test('a clock that goes back keeps counting up', () => {
    const generator = new IdGenerator(5, 0);
    const before = generator.next(now);
    expect(generator.next(now - 60_000)).toBe(before + 1n);
  });

  test('begin at the floor that an earlier run left', () => {
    const generator = new IdGenerator(5, now + 10);
    expect(generator.next(now)).toBe(composeId(now + 10, 5, 0));
    expect(new IdGenerator(5, now - 10).next(now)).toBe(composeId(now, 5, 0));
  });

  test('rise strictly, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 2, maxLength: 400 }), (clock) => {
        const generator = new IdGenerator(5, 3);
        const ids = clock.map((time) => generator.next(time));
        for (let index = 1; index < ids.length; index += 1) expect(ids[index]! > ids[index - 1]!).toBe(true);
        for (const id of ids) expect(slotOfId(id)).toBe(5);
      }),
    );
  });
});
