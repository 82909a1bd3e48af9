/**
 * The lock of the format: format.lock says what is stored, and what was declared since may only add to it. An
 * addition is written there by `npx vitest run test/tidy/format -u`; what would make stored data unreadable is refused first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import { eventTypes } from '../../../src/actors/events.ts';
import { packed, record } from '../../../src/runtime/codec.ts';
import { type Bound, id, keyspace, uint53 } from '../../../src/runtime/storage/keyspace.ts';
import { machineKeyspaces } from '../../../src/runtime/storage/machine.ts';
import { folderFormat } from '../../../src/server/folder/manifest.ts';
import { migrations } from '../../../src/server/folder/migrations.ts';
import { declaredEffects } from '../../support/declared-effects.ts';
import { type Declarations, type Format, formatBreaches, formatOf, textOf, withRetired } from './format.ts';

const lockFile = join(import.meta.dirname, 'format.lock');

const events = [...eventTypes.values()];
const effects = await declaredEffects();
const format = formatOf({
  format: folderFormat,
  keyspaces: [...machineKeyspaces, ...keyspaces],
  actors,
  events,
  effects,
});

test('what is declared reads what was ever stored, and format.lock is up to date', async () => {
  const lock = JSON.parse(readFileSync(lockFile, 'utf8')) as Format;
  expect(formatBreaches(lock, format, migrations)).toEqual([]);
  await expect(`${textOf(withRetired(lock, format))}\n`).toMatchFileSnapshot(lockFile);
});

test('no effect has the number of another', () => {
  expect(effects.length).toBeGreaterThan(1);
  expect(new Set(effects.map(({ number }) => number)).size).toBe(effects.length);
});

describe('what is refused', () => {
  const Before = z.object({
    id: z.bigint(),
    name: z.string(),
    role: z.enum(['user', 'admin']).default('user'),
    place: z.object({ host: z.string() }).optional(),
    list: z.array(z.object({ at: z.number() })),
    title: z.string().min(2).max(10).default('none'),
    origin: z.object({ x: z.number() }).default({ x: 0 }),
    share: z.bigint().max(100n).default(1n),
  });

  const with_ = (value: z.ZodObject, number = 20, key = [id('account')]): Declarations => ({
    format: 7,
    keyspaces: [
      keyspace({
        number,
        name: 'people',
        owner: 'account',
        key: key as never,
        value: record(value),
        bound: { by: 'count', entries: 1 },
      }),
    ],
    actors: [],
    events: [{ number: 1, name: 'changed', body: value }],
    effects: [{ number: 1, name: 'look', request: value }],
  });
  const lock = formatOf(with_(Before));
  const breachesOf = (value: z.ZodObject) => formatBreaches(lock, formatOf(with_(value)));
  const { id: _id, name: _name, ...rest } = Before.shape;

  test.each<[string, z.ZodObject]>([
    ['nothing has changed', Before],
    ['a field with a default came last', Before.extend({ locked: z.boolean().default(false) })],
    ['an optional field came last', Before.extend({ note: z.string().optional() })],
    [
      'a value was added to an enumeration',
      Before.extend({ role: z.enum(['user', 'owner', 'admin']).default('user') }),
    ],
    [
      'a nested object got a default',
      Before.extend({ place: z.object({ host: z.string(), port: z.number().default(443) }).optional() }),
    ],
    ['a required field became optional', Before.extend({ name: z.string().optional() })],
    ['a text may be longer', Before.extend({ title: z.string().min(2).max(20).default('none') })],
    ['a number has no limit any more', Before.extend({ share: z.bigint().default(1n) })],
    [
      'an object that is a default got a field',
      Before.extend({ origin: z.object({ x: z.number(), y: z.number().default(0) }).default({ x: 0, y: 0 }) }),
    ],
  ])('not when %s', (_what, value) => {
    expect(breachesOf(value)).toEqual([]);
  });

  test.each<[string, z.ZodObject, string]>([
    [
      'a required field came',
      Before.extend({ locked: z.boolean() }),
      'locked is new, and neither optional nor has a default',
    ],
    [
      'two fields changed places',
      z.object({ name: z.string(), id: z.bigint(), ...rest }),
      'id was at position 0, where name is now',
    ],
    [
      'a field came in between',
      z.object({ note: z.string().optional(), ...Before.shape }),
      'id was at position 0, where note is now',
    ],
    ['a field went', z.object({ id: z.bigint(), ...rest }), 'name is gone'],
    ['a type changed', Before.extend({ name: z.number() }), 'name was string, and is number now'],
    [
      'an optional field became required',
      Before.extend({ place: z.object({ host: z.string() }) }),
      'place was optional, and is required now',
    ],
    [
      'a default changed',
      Before.extend({ role: z.enum(['user', 'admin']).default('admin') }),
      'role stood for "user" where it was not stored, and stands for "admin" now',
    ],
    [
      'a default went',
      Before.extend({ role: z.enum(['user', 'admin']).optional() }),
      'role stood for "user" where it was not stored, and stands for nothing now',
    ],
    [
      'a default changed inside',
      Before.extend({ origin: z.object({ x: z.number() }).default({ x: 1 }) }),
      'origin stood for {"x":0} where it was not stored, and stands for {"x":1} now',
    ],
    [
      'a text may not be so long',
      Before.extend({ title: z.string().min(2).max(9).default('none') }),
      'title: longest was 10, and is 9 now',
    ],
    [
      'a text may not be so short',
      Before.extend({ title: z.string().min(3).max(10).default('none') }),
      'title: shortest was 2, and is 3 now',
    ],
    [
      'a number may not be so large',
      Before.extend({ share: z.bigint().max(99n).default(1n) }),
      'share: most was 100n, and is 99n now',
    ],
    ['a text got a limit', Before.extend({ name: z.string().max(500) }), 'name: longest is 500 now'],
    [
      'a number must be whole',
      Before.extend({ list: z.array(z.object({ at: z.int() })) }),
      'list[].at: form is safeint now',
    ],
    [
      'a value went from an enumeration',
      Before.extend({ role: z.enum(['user']).default('user') }),
      'role cannot be admin any more',
    ],
    [
      'a nested object got a required field',
      Before.extend({ list: z.array(z.object({ at: z.number(), by: z.bigint() })) }),
      'list[].by is new',
    ],
  ])('%s', (_what, value, sentence) => {
    expect(breachesOf(value)).toEqual(expect.arrayContaining([expect.stringContaining(sentence)]));
  });

  test('other parts of a key, and another way of becoming bytes', () => {
    expect(formatBreaches(lock, formatOf(with_(Before, 20, [uint53('time')] as never)))).toEqual([
      'keyspace 20 (people): its keys were id',
    ]);
    const {
      keyspaces: [people],
      ...others
    } = with_(Before);
    const named = { ...people!, value: packed(Before) };
    expect(formatBreaches(lock, formatOf({ ...others, keyspaces: [named] }))).toEqual([
      'keyspace 20 (people): how its values become bytes has changed',
    ]);
  });

  test('what only a function decides, because it cannot be compared', () => {
    expect(() => formatOf(with_(Before.extend({ name: z.string().refine((name) => name !== '') })))).toThrow(
      'a stored value with a check of its own',
    );
  });

  test.each<[string, Bound, Bound, readonly string[]]>([
    [
      'fewer entries',
      { by: 'count', entries: 3 },
      { by: 'count', entries: 2 },
      ['3 entries were allowed, and 2 are now'],
    ],
    ['more entries', { by: 'count', entries: 3 }, { by: 'count', entries: 4 }, []],
    [
      'a shorter time',
      { by: 'age', milliseconds: 9 },
      { by: 'age', milliseconds: 8 },
      ['9 milliseconds were allowed, and 8 are now'],
    ],
    ['a longer time', { by: 'age', milliseconds: 9 }, { by: 'age', milliseconds: 10 }, []],
    ['a bound that was only described', { by: 'owner', reason: 'few' }, { by: 'count', entries: 8 }, []],
    ['a bound that is not counted any more', { by: 'count', entries: 3 }, { by: 'owner', reason: 'few' }, []],
  ])('of a keyspace, %s', (_what, was, is, sentences) => {
    const bounded = (bound: Bound): Declarations => {
      const { keyspaces, ...others } = with_(Before);
      return { ...others, keyspaces: keyspaces.map((people) => ({ ...people, bound })) };
    };
    expect(formatBreaches(formatOf(bounded(was)), formatOf(bounded(is)))).toEqual(
      sentences.map((sentence) => `keyspace 20 (people): ${sentence}`),
    );
  });

  test('parts of a key that changed places, and none that was only renamed', () => {
    const keyed = (...names: string[]) => formatOf(with_(Before, 20, names.map((name) => id(name)) as never));
    const pairs = keyed('account', 'status');
    expect(formatBreaches(pairs, keyed('account', 'post'))).toEqual([]);
    expect(formatBreaches(pairs, keyed('status', 'account'))).toEqual([
      'keyspace 20 (people): the part of its keys "id account" is in another place',
    ]);
  });

  test.each([
    ['changed numbers', ['mute', 'block'], ['block (1)', 'mute (2)']],
    ['took the number of one that has a new name', ['mute', 'shun'], ['mute (2)']],
    ['has a new name', ['hide', 'mute'], []],
  ] as const)('of two effects that look alike, one %s', (_what, [first, second], moved) => {
    const named = (...names: string[]): Declarations => ({
      ...with_(Before),
      effects: names.map((name, index) => ({ number: index + 1, name, request: Before })),
    });
    const breaches = formatBreaches(formatOf(named('block', 'mute')), formatOf(named(first, second)));
    expect(
      breaches.map((breach) => breach.replace(/^effect \d+ \((\w+)\): it had the number (\d+)$/, '$1 ($2)')).sort(),
    ).toEqual(moved);
  });

  test('not what a migration since then changes', () => {
    const changed = formatOf(with_(Before, 20, [uint53('time')] as never));
    const migration = { keyspaces: [20], change: () => ({ keys: [], values: [] }) };
    expect(formatBreaches(lock, changed, [{ ...migration, format: 8 }])).toEqual([]);
    expect(formatBreaches(lock, changed, [{ ...migration, format: 7 }])).toHaveLength(1);
  });

  test('a number that was retired is not given again', () => {
    const { keyspaces: _gone, ...others } = with_(Before);
    const later = withRetired(lock, formatOf({ ...others, keyspaces: [] }));
    expect(later.keyspaces['20']).toMatchObject({ retired: true });
    expect(formatBreaches(later, formatOf({ ...others, keyspaces: [] }))).toEqual([]);
    expect(formatBreaches(later, formatOf(with_(Before)))).toEqual([
      'keyspace 20 (people): the number was that of people, which is gone; take another',
    ]);
  });
});
