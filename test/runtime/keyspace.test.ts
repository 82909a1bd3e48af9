import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packed } from '../../src/runtime/codec.ts';
import { composeId, slotCount, slotOfKey } from '../../src/runtime/ids.ts';
import {
  afterPrefix,
  assertCatalogue,
  beginningWith,
  hashedString,
  id,
  type KeyPart,
  keyspace,
  keyspacesOf,
  position,
  startOfText,
  textStart,
  uint32,
  uint53,
} from '../../src/runtime/storage/keyspace.ts';
import { machineKeyspaces } from '../../src/runtime/storage/machine.ts';

const bound = { by: 'owner', reason: 'tests end' } as const;

function space<Key extends readonly unknown[]>(
  key: { readonly [Index in keyof Key]: KeyPart<Key[Index]> },
  partitionWide = false,
) {
  return keyspace<Key, string>({ number: 77, name: 'test', owner: 'test', partitionWide, key, value: packed(), bound });
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('the bytes of a key', () => {
  test('slot, keyspace number, parts', () => {
    const account = composeId(1, 3, 2);
    expect(hex(space<[bigint, number]>([id('account'), uint32('index')]).encode([account, 258]))).toBe(
      '0003' + '4d' + '00000000000100c2' + '00000102',
    );
  });

  test('what belongs to the partition has no slot', () => {
    expect(hex(space<[number]>([uint53('time')], true).encode([2 ** 40 + 1]))).toBe('ffff' + '4d' + '0000010000000001');
  });

  test('a name is hashed, and its slot is that of the actor with this name', () => {
    const key = space<[string]>([hashedString('handle')]).encode(['alice']);
    expect((key[0]! << 8) | key[1]!).toBe(slotOfKey('alice'));
    expect(hex(key.subarray(3))).toBe(createHash('sha256').update('alice').digest('hex').slice(0, 32));
  });

  test.each([
    '',
    'al',
    'alice',
    'älice',
    'a'.repeat(16),
    'a'.repeat(30),
    '🐦'.repeat(9),
  ])('the beginning of a text lies between its bounds: %s', (beginning) => {
    const { from, until } = beginningWith(beginning);
    const bytes = (text: string) => space<[string]>([textStart('word')], true).encode([text]);
    for (const text of [beginning, `${beginning}z`, `${beginning}🐦`, `${beginning}\uffff`]) {
      expect(bytes(from).compare(bytes(text))).toBeLessThanOrEqual(0);
      expect(bytes(until).compare(bytes(text))).toBe(1);
    }
  });

  test('texts that begin alike have the same start, whole characters of it', () => {
    const space20 = space<[string]>([textStart('word')], true);
    expect(space20.decode(space20.encode([`${'a'.repeat(18)}äö`]))).toEqual([`${'a'.repeat(18)}ä`]);
    expect(startOfText(`${'a'.repeat(19)}äö`)).toBe('a'.repeat(19));
    expect(startOfText('short')).toBe('short');
  });

  test('a part without a slot cannot lead the key of an actor', () => {
    expect(() => space<[number]>([uint32('index')]).encode([1])).toThrow('cannot name a slot');
    expect(() => space<[bigint]>([position('position')]).encode([1n])).toThrow('cannot name a slot');
  });

  test.each([-1, 2 ** 64])('a number that does not fit is refused: %d', (value) => {
    expect(() => space<[number]>([uint53('time')], true).encode([value])).toThrow();
    expect(() => space<[number]>([uint32('index')], true).encode([value])).toThrow();
  });

  test.each([-1n, 2n ** 64n])('an id that does not fit is refused: %s', (value) => {
    expect(() => space<[bigint]>([position('place')], true).encode([value])).toThrow(RangeError);
  });

  test('a key in passing has the same bytes, in one buffer for all', () => {
    const keys = space<[bigint, number, string, string]>([
      id('account'),
      uint53('time'),
      hashedString('uri'),
      textStart('name'),
    ]);
    const part = fc.tuple(fc.bigInt(0n, 2n ** 64n - 1n), fc.maxSafeNat(), fc.string(), fc.string());
    fc.assert(
      fc.property(part, (key) => {
        const passing = keys.encodeTransient(key);
        expect(passing).toEqual(keys.encode(key));
        expect(keys.encodeTransient(key)).toBe(passing);
      }),
    );
  });

  test('keys longer than the limit are refused at declaration', () => {
    const parts = Array.from({ length: 64 }, () => uint53('part'));
    expect(() => space<number[]>(parts, true)).toThrow('longer than');
  });
});

describe('the order of bytes is the order of values', () => {
  const ids = fc
    .tuple(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: 0, max: 63 }))
    .map(([time, counter]) => composeId(time, 5, counter));
  const wholes = fc.oneof(
    fc.integer({ min: 0, max: 2 ** 33 }),
    fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    fc.constantFrom(2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1),
  );
  const spaces = space<[bigint, number]>([id('account'), uint53('time')]);

  test('whatever the parts', () => {
    fc.assert(
      fc.property(ids, wholes, ids, wholes, (idA, wholeA, idB, wholeB) => {
        const order = idA === idB ? Math.sign(wholeA - wholeB) : idA < idB ? -1 : 1;
        expect(Math.sign(Buffer.compare(spaces.encode([idA, wholeA]), spaces.encode([idB, wholeB])))).toBe(order);
      }),
    );
  });

  test('and a key reads back', () => {
    fc.assert(
      fc.property(ids, wholes, (account, time) => {
        expect(spaces.decode(spaces.encode([account, time]))).toEqual([account, time]);
      }),
    );
  });

  test('and it reads back from the middle of a buffer', () => {
    const key = spaces.encode([composeId(9, 5, 1), 12]);
    const padded = Buffer.concat([Buffer.from('before'), key, Buffer.from('after')]);
    expect(spaces.decode(padded.subarray(6, 6 + key.length))).toEqual([composeId(9, 5, 1), 12]);
  });
});

describe('a prefix', () => {
  const spaces = space<[bigint, number]>([id('account'), uint53('time')]);

  test('is the beginning of its keys, and ends after the last of them', () => {
    const account = composeId(7, 5, 0);
    const prefix = spaces.prefix([account], 5);
    expect(spaces.encode([account, 3]).subarray(0, prefix.length)).toEqual(prefix);
    expect(Buffer.compare(spaces.encode([account, Number.MAX_SAFE_INTEGER]), afterPrefix(prefix))).toBe(-1);
    expect(Buffer.compare(spaces.encode([composeId(7, 5, 1), 0]), afterPrefix(prefix))).toBeGreaterThanOrEqual(0);
  });

  test.each([
    ['0001', '0002'],
    ['00ff', '01'],
    ['ffff4d', 'ffff4e'],
  ])('the first key after %s is %s', (prefix, end) => {
    expect(hex(afterPrefix(Buffer.from(prefix, 'hex')))).toBe(end);
  });

  test('one of 0xff only has no end', () => {
    expect(() => afterPrefix(Buffer.from('ffff', 'hex'))).toThrow();
  });
});

describe('the catalogue', () => {
  test('the machine owns the numbers 1 to 19', () => {
    assertCatalogue(machineKeyspaces);
    for (const declared of machineKeyspaces) expect(declared.number).toBeLessThan(20);
  });

  test.each([
    [
      'a number used twice',
      [
        { number: 20, name: 'a' },
        { number: 20, name: 'b' },
      ],
      'share the number 20',
    ],
    ['a number too high', [{ number: 255, name: 'a' }], 'no number from 1 to 254'],
    ['a number too low', [{ number: 0, name: 'a' }], 'no number from 1 to 254'],
  ])('refuses %s', (_, keyspaces, problem) => {
    expect(() => assertCatalogue(keyspaces)).toThrow(problem);
  });

  test('is what the modules declare, each keyspace once, however it is read', () => {
    const one = space([id('account')]);
    const two = space([hashedString('handle')]);
    const sameEntries = { ...one, name: 'one, without its values' };
    expect(keyspacesOf({ one, sameEntries, linesMax: 3 }, { two })).toEqual([one, two]);
  });

  test('slots fit the two bytes in front of a key, below the mark of a partition', () => {
    expect(slotCount).toBeLessThan(0xffff);
  });
});
