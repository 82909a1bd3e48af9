import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pack, packArray, packed, packObject, present, raw, record, unpack } from '../../src/runtime/codec.ts';

describe('any value', () => {
  test.each([
    ['an id', (1n << 63n) - 1n],
    ['a small bigint stays a bigint', 5n],
    ['a negative bigint', -5n],
    ['a time in milliseconds', 1_700_000_000_000],
    ['a fraction', 0.1],
    ['a number beyond 2^53', 2 ** 60],
    ['text of every plane', 'naïve 日本 🐘'],
    ['nothing', null],
    ['an object in an array', [{ name: 'alice', followers: [1n, 2n], bot: false }]],
    ['bytes', new Uint8Array([0, 255, 7])],
    ['a key that means something to JavaScript', { constructor: 1 }],
  ])('%s', (_, value) => {
    const copy = unpack(pack(value));
    expect(copy instanceof Uint8Array ? new Uint8Array(copy) : copy).toEqual(value);
  });

  test('undefined inside an array keeps its place', () => {
    expect(unpack(pack([1, undefined, 3]))).toEqual([1, undefined, 3]);
  });

  test('decoded bytes do not change with the buffer they came from', () => {
    const buffer = Uint8Array.from(pack({ bytes: new Uint8Array([1, 2, 3]) }));
    const value = packed<{ bytes: Uint8Array }>().decode(buffer);
    buffer.fill(0);
    expect([...value.bytes]).toEqual([1, 2, 3]);
  });

  test('an integer beyond 64 bits is refused', () => {
    expect(() => pack(1n << 70n)).toThrow();
  });
});

describe('an array of what is packed already', () => {
  test.each([0, 1, 15, 16, 65_535, 65_536])('%d items read back as if packed together', (length) => {
    const items = Array.from({ length }, (_, index) => [index, `item ${index}`]);
    const bytes = packArray(items.map(pack));
    expect(unpack(bytes)).toEqual(items);
    expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
  });
});

describe('an object of what is packed already', () => {
  test.each([0, 1, 15, 16, 300])('reads as the object of %i fields', (count) => {
    const fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`field ${index}`, [index, 'text']]));
    const bytes = packObject(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, pack(value)])));
    expect(unpack(bytes)).toEqual(fields);
    expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
  });
});

describe('a record', () => {
  test.each([
    ['an object', { name: 'alice' }],
    ['a number', 5],
    ['nothing', null],
    ['a text', 'alice'],
  ])('is not read from other MessagePack: %s', (_what, odd) => {
    const { decode } = record(z.object({ name: z.string() }));
    expect(() => decode(pack(odd))).toThrow('it is not a record');
    expect(decode(pack(['alice']))).toEqual({ name: 'alice' });
  });

  const first = record(z.object({ name: z.string(), followers: z.number() }));
  const later = record(
    z.object({
      name: z.string(),
      followers: z.number(),
      locked: z.boolean().default(false),
      fields: z.array(z.string()).default([]),
      note: z.string().optional(),
    }),
  );

  test('is stored without its field names', () => {
    expect(first.encode({ name: 'alice', followers: 3 }).byteLength).toBe(8);
    expect(unpack(first.encode({ followers: 3, name: 'alice' }))).toEqual(['alice', 3]);
  });

  test('that an older version wrote has the defaults of the fields added since', () => {
    const stored = first.encode({ name: 'alice', followers: 3 });
    expect(later.decode(stored)).toEqual({
      name: 'alice',
      followers: 3,
      locked: false,
      fields: [],
      note: undefined,
    });
  });

  test('that a newer version wrote is read as far as it is known', () => {
    const stored = later.encode({ name: 'bob', followers: 1, locked: true, fields: ['a'], note: 'hello' });
    expect(Object.entries(first.decode(stored))).toEqual([
      ['name', 'bob'],
      ['followers', 1],
    ]);
  });

  test('that a newer version wrote keeps its fields when an older one changes it', () => {
    const stored = later.encode({ name: 'bob', followers: 1, locked: true, fields: ['a'], note: 'hello' });
    const rewritten = first.encode({ ...first.decode(stored), followers: 2 });
    expect(later.decode(rewritten)).toEqual({ name: 'bob', followers: 2, locked: true, fields: ['a'], note: 'hello' });
    // The same codec writes the next record without them.
    expect(unpack(first.encode({ name: 'carol', followers: 0 }))).toEqual(['carol', 0]);
  });

  test('keeps null and false apart from absent', () => {
    const codec = record(z.object({ a: z.boolean().default(true), b: z.string().nullable().default('x') }));
    expect(codec.decode(codec.encode({ a: false, b: null }))).toEqual({ a: false, b: null });
  });

  test('two records never share a default', () => {
    const stored = first.encode({ name: 'alice', followers: 3 });
    later.decode(stored).fields.push('changed by its owner');
    expect(later.decode(stored).fields).toEqual([]);
  });
});

describe('what is inside a record', () => {
  const Place = z.object({ host: z.string() });
  const NewerPlace = Place.extend({
    port: z.number().default(443),
    paths: z.array(z.string()).default([]),
    note: z.string().optional(),
  });
  const Intent = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('create'), place: Place }),
    z.object({ kind: z.literal('delete') }),
  ]);
  const NewerIntent = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('create'), place: NewerPlace, quietly: z.boolean().default(false) }),
    z.object({ kind: z.literal('delete') }),
  ]);
  const shape = <P extends z.ZodType, I extends z.ZodType>(place: P, intent: I) =>
    record(
      z.object({
        home: place,
        away: place.optional(),
        all: z.array(place),
        byName: z.record(z.string(), place),
        intent,
        plain: z.array(z.object({ id: z.bigint() })),
      }),
    );
  const before = shape(Place, Intent);
  const after = shape(NewerPlace, NewerIntent);
  const stored = {
    home: { host: 'a' },
    away: { host: 'b' },
    all: [{ host: 'c' }, { host: 'd' }],
    byName: { e: { host: 'e' } },
    intent: { kind: 'create' as const, place: { host: 'f' } },
    plain: [{ id: 1n }],
  };
  const since = { port: 443, paths: [] };

  test('has the defaults of the fields added since, at every depth', () => {
    expect(after.decode(before.encode(stored))).toEqual({
      home: { host: 'a', ...since },
      away: { host: 'b', ...since },
      all: [
        { host: 'c', ...since },
        { host: 'd', ...since },
      ],
      byName: { e: { host: 'e', ...since } },
      intent: { kind: 'create', quietly: false, place: { host: 'f', ...since } },
      plain: [{ id: 1n }],
    });
  });

  test('never shares a default, and keeps what is stored', () => {
    const bytes = before.encode(stored);
    after.decode(bytes).home.paths.push('changed by its owner');
    expect(after.decode(bytes).home.paths).toEqual([]);
    const kept = { ...after.decode(bytes), home: { host: 'a', port: 80, paths: ['/x'] } };
    expect(after.decode(after.encode(kept)).home).toEqual({ host: 'a', port: 80, paths: ['/x'] });
  });

  test('a variant without new fields, and one that this version does not know, stay what they are', () => {
    for (const intent of [{ kind: 'delete' as const }, { kind: 'move' } as never])
      expect(after.decode(before.encode({ ...stored, intent })).intent).toEqual(intent);
  });

  test('keeps the fields of a newer version when an older one copies it', () => {
    const newer = after.encode({
      ...after.decode(before.encode(stored)),
      home: { host: 'a', port: 80, paths: ['/x'] },
    });
    const older = before.decode(newer);
    const rewritten = before.encode({ ...older, home: { ...older.home, host: 'z' } });
    expect(after.decode(rewritten).home).toEqual({ host: 'z', port: 80, paths: ['/x'] });
  });
});

describe('bytes and presence', () => {
  test('raw bytes are copied both ways', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const encoded = raw.encode(bytes);
    bytes.fill(9);
    expect([...encoded]).toEqual([1, 2, 3]);
    const decoded = raw.decode(encoded);
    encoded.fill(9);
    expect([...decoded]).toEqual([1, 2, 3]);
  });

  test('presence is one byte', () => {
    expect(present.encode(true).byteLength).toBe(1);
    expect(present.decode(present.encode(true))).toBe(true);
  });
});
