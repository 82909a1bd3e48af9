/** Decoded values cached by a partition are never older than the snapshot. */
import { beforeEach, describe, expect, test } from 'vitest';
import { packed } from '../../src/runtime/codec.ts';
import { composeId } from '../../src/runtime/ids.ts';
import { partitionLimits } from '../../src/runtime/limits.ts';
import { Committed } from '../../src/runtime/storage/committed.ts';
import { id, keyspace } from '../../src/runtime/storage/keyspace.ts';
import { Layer } from '../../src/runtime/storage/layer.ts';
import { MemoryLog, MemoryStore } from '../support/memory-log.ts';

const declaration = {
  name: 'moods',
  owner: 'test',
  key: [id('player')] as const,
  value: packed<{ mood: string }>(),
  bound: { by: 'owner', reason: 'tests end' } as const,
};
const moods = keyspace<[bigint], { mood: string }>({ ...declaration, number: 220, remembered: true });
const others = keyspace<[bigint], { mood: string }>({ ...declaration, number: 221 });
const dislikes = keyspace<[bigint, bigint], { mood: string }>({
  ...declaration,
  number: 222,
  key: [id('player'), id('other')],
  sparse: true,
});
/** More of them than one entry has bits for. */
const grudges = Array.from({ length: 70 }, (_, index) =>
  keyspace<[bigint], { mood: string }>({ ...declaration, number: 100 + index, sparse: true }),
);
const alice = composeId(1, 7, 0);
const bob = composeId(1, 7, 1);

let store: MemoryStore;
let committed: Committed;

beforeEach(() => {
  store = new MemoryStore();
  committed = new Committed(new MemoryLog(store).reader);
});

/** As a commit of another kind would, without telling anybody. */
function storeMood(player: bigint, mood: string | undefined, space = moods): void {
  store.apply({
    keys: [space.encode([player])],
    values: [mood === undefined ? undefined : space.value.encode({ mood })],
  });
}

function landed(player: bigint, mood: string | undefined): void {
  storeMood(player, mood);
  const layer = new Layer();
  const value = mood === undefined ? undefined : moods.value.encode({ mood });
  layer.set(moods.encode([player]).toString('latin1'), moods.scopeBytes, value);
  committed.landed(layer);
}

const read = (player: bigint, space = moods) => committed.get(space, space.encode([player]));

test('a value is decoded once, and cannot be changed by one of those who look at it', () => {
  landed(alice, 'glad');
  const first = read(alice)!;
  expect(first).toEqual({ mood: 'glad' });
  expect(read(alice)).toBe(first);
  expect(() => Object.assign(first, { mood: 'sad' })).toThrow(TypeError);
});

test.each([
  ['a new value', 'sad'],
  ['a deletion', undefined],
])('%s that has landed is seen at once, by the one it is of alone', (_what, mood) => {
  landed(alice, 'glad');
  landed(bob, 'calm');
  const before = read(bob);
  expect(read(alice)).toEqual({ mood: 'glad' });
  landed(alice, mood);
  expect(read(alice)).toEqual(mood === undefined ? undefined : { mood });
  expect(read(bob)).toBe(before);
});

test('what is not there is looked for again', () => {
  expect(read(alice)).toBeUndefined();
  landed(alice, 'glad');
  expect(read(alice)).toEqual({ mood: 'glad' });
});

test('after an append that failed nothing is remembered', () => {
  landed(alice, 'glad');
  read(alice);
  storeMood(alice, 'sad');
  committed.reopen();
  expect(read(alice)).toEqual({ mood: 'sad' });
});

describe('of a sparse keyspace', () => {
  const scopesMax = Math.ceil(partitionLimits.emptyScopesBytesMin / partitionLimits.emptyScopesOfActorBytes);

  const dislikeOf = (player: bigint, other: bigint) => committed.get(dislikes, dislikes.encode([player, other]));

  function landedDislike(player: bigint, other: bigint, isThere: boolean): void {
    const key = dislikes.encode([player, other]);
    const value = isThere ? dislikes.value.encode({ mood: 'sour' }) : undefined;
    store.apply({ keys: [key], values: [value] });
    const layer = new Layer();
    layer.set(key.toString('latin1'), dislikes.scopeBytes, value);
    committed.landed(layer);
  }

  /** The store changes unseen; what is answered all the same was kept in mind. */
  function storeUnseen(player: bigint, other: bigint): void {
    store.apply({ keys: [dislikes.encode([player, other])], values: [dislikes.value.encode({ mood: 'sour' })] });
    committed.landed(new Layer());
  }

  test('an empty scope is remembered, for all of its keys', () => {
    expect(dislikeOf(alice, bob)).toBeUndefined();
    storeUnseen(alice, alice);
    expect(dislikeOf(alice, alice)).toBeUndefined();
    expect(dislikeOf(bob, alice)).toBeUndefined();
  });

  test('a scope with another entry is not taken for empty', () => {
    landedDislike(alice, alice, true);
    expect(dislikeOf(alice, bob)).toBeUndefined();
    storeUnseen(alice, bob);
    expect(dislikeOf(alice, bob)).toEqual({ mood: 'sour' });
  });

  test('what lands in it is seen at once, and so is what goes', () => {
    expect(dislikeOf(alice, bob)).toBeUndefined();
    landedDislike(alice, bob, true);
    expect(dislikeOf(alice, bob)).toEqual({ mood: 'sour' });
    landedDislike(alice, bob, false);
    expect(dislikeOf(alice, bob)).toBeUndefined();
  });

  test('each keyspace of an actor is known by itself, however many there are', () => {
    for (const space of grudges) expect(read(alice, space)).toBeUndefined();
    for (const space of grudges) storeMood(alice, 'sour', space);
    committed.landed(new Layer());
    const layer = new Layer();
    const written = grudges.filter((_space, index) => index % 2 === 0);
    for (const space of written) layer.set(space.encode([alice]).toString('latin1'), space.scopeBytes, undefined);
    committed.landed(layer);
    // The others are still remembered as empty.
    for (const space of grudges)
      expect(read(alice, space)).toEqual(written.includes(space) ? { mood: 'sour' } : undefined);
    for (const space of grudges) expect(read(bob, space)).toBeUndefined();
  });

  test('what is read through a second declaration with other scopes is never taken for empty', () => {
    const narrow: typeof dislikes = { ...dislikes, scopeBytes: dislikes.encode([alice, bob]).length };
    const narrowly = () => committed.get(narrow, narrow.encode([alice, bob]));
    expect([dislikeOf(alice, bob), narrowly()]).toEqual([undefined, undefined]);
    landedDislike(alice, bob, true);
    expect([dislikeOf(alice, bob), narrowly()]).toEqual([{ mood: 'sour' }, { mood: 'sour' }]);
  });

  test('after an append that failed no empty scope is remembered', () => {
    expect(dislikeOf(alice, bob)).toBeUndefined();
    storeUnseen(alice, bob);
    committed.reopen();
    expect(dislikeOf(alice, bob)).toEqual({ mood: 'sour' });
  });

  test('the memory for empty scopes has a bound', () => {
    expect(dislikeOf(alice, bob)).toBeUndefined();
    storeUnseen(alice, bob);
    for (let count = 0; count < scopesMax; count += 1) dislikeOf(composeId(2 + count, 7, 0), bob);
    expect(dislikeOf(alice, bob)).toEqual({ mood: 'sour' });
  });

  test('what is asked for again and again is remembered, however much is asked for once', () => {
    expect(dislikeOf(alice, bob)).toBeUndefined();
    storeUnseen(alice, bob);
    for (let count = 0; count < 4 * scopesMax; count += 1) {
      dislikeOf(composeId(2 + count, 7, 0), bob);
      if (count % 1_000 === 0) expect(dislikeOf(alice, bob)).toBeUndefined();
    }
  });
});

test('other keyspaces are read each time', () => {
  storeMood(alice, 'glad', others);
  committed.reopen();
  expect(read(alice, others)).toEqual({ mood: 'glad' });
  expect(read(alice, others)).not.toBe(read(alice, others));
});

test('the number of remembered values has a bound', () => {
  landed(alice, 'glad');
  const first = read(alice);
  for (let count = 0; count < partitionLimits.valuesRememberedMax; count += 1) {
    const player = composeId(2 + count, 7, 0);
    storeMood(player, 'calm');
    committed.landed(new Layer());
    read(player);
  }
  expect(read(alice)).not.toBe(first);
  expect(read(alice)).toEqual(first);
});

test('the bytes of remembered values have a bound, however few they are', () => {
  landed(alice, 'glad');
  const first = read(alice);
  const mood = 'x'.repeat(partitionLimits.valuesRememberedBytesMax / 4);
  for (let index = 2; index <= 5; index += 1) {
    expect(read(alice)).toBe(first);
    landed(composeId(index, 7, 0), mood);
    read(composeId(index, 7, 0));
  }
  expect(read(alice)).not.toBe(first);
});
