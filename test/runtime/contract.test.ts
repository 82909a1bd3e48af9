import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { record } from '../../src/runtime/codec.ts';
import {
  type ActorKind,
  call,
  cast,
  contract,
  delegatedReply,
  type Envelope,
  feature,
  implement,
  joined,
  type MessageType,
} from '../../src/runtime/contract.ts';
import { composeId, slotOfKey } from '../../src/runtime/ids.ts';
import type { Turn } from '../../src/runtime/partition/turn.ts';
import { evenPlacement, partitionOfEnvelope } from '../../src/runtime/placement.ts';
import { id, keyspace } from '../../src/runtime/storage/keyspace.ts';

const catKind: ActorKind<bigint> = { kind: 150, name: 'cat' };
const denKind: ActorKind<bigint> = { kind: 151, name: 'den', routing: 'partition' };
const Cat = contract(catKind, {
  feed: call(1, z.object({ grams: z.number() }), z.object({ weight: z.number() })),
  nap: call(2, z.object({})),
  chased: cast(3, z.object({ by: z.bigint() })),
});
const Den = contract(denKind, { entered: cast(1, z.object({ cat: z.bigint() })) });

describe('the parts of an actor', () => {
  const sleeping = { nap: call(2, z.object({})) };
  const eating = { feed: call(1, z.object({ grams: z.number() })) };

  test('are joined to one', () => {
    expect(Object.keys(joined(eating, sleeping))).toEqual(['feed', 'nap']);
    expectTypeOf(joined(eating, sleeping)).toHaveProperty('nap');
  });

  test('that share a name, or a number, are refused at load', () => {
    expect(() => joined(eating, sleeping, { nap: call(3, z.object({})) })).toThrow('the name nap');
    expect(() => contract(catKind, joined(eating, { purr: call(1, z.object({})) }))).toThrow('the message number 1');
  });

  test('are run by the functions of their names; a feature brings its keyspaces along', () => {
    const nap = (): undefined => undefined;
    const helper = (): number => 1;
    const beds = keyspace<[bigint], { soft: boolean }>({
      number: 1,
      name: 'beds',
      owner: 'cat',
      key: [id('cat')],
      value: record(z.object({ soft: z.boolean() })),
      bound: { by: 'count', entries: 1 },
    });
    const state = [{ beds, helper }];
    const whole = feature<Turn<bigint>>()({ messages: sleeping, handlers: { ...{ nap, helper } }, state });
    expect(whole).toEqual({ handlers: { nap }, keyspaces: [beds], rules: [] });
    // @ts-expect-error the handler of a message is missing
    feature<Turn<bigint>>()({ messages: sleeping, handlers: { ...{ helper } }, state });
  });
});

describe('a contract', () => {
  test('makes messages with a number, a body and an addressee', () => {
    expect(Cat.feed.to(5n, { grams: 80 })).toEqual({ kind: 150, key: 5n, message: 1, body: { grams: 80 } });
    expect(Cat.actor).toEqual({ kind: 150, kindName: 'cat', routing: 'slot' });
    expect(Den.entered.to(3n, { cat: 5n })).toEqual({
      kind: 151,
      key: 3n,
      message: 1,
      body: { cat: 5n },
      partition: 3,
    });
  });

  test('types what is said, what is answered and to whom', () => {
    expectTypeOf(Cat.feed).toEqualTypeOf<MessageType<bigint, { grams: number }, { weight: number }>>();
    expectTypeOf(Cat.nap.to(1n, {})).toEqualTypeOf<Envelope<undefined>>();
    expectTypeOf(Cat.chased).toEqualTypeOf<MessageType<bigint, { by: bigint }, undefined>>();
    expectTypeOf(Cat.feed.to).parameter(0).toEqualTypeOf<bigint>();
    // @ts-expect-error a body of another shape
    Cat.feed.to(1n, { litres: 1 });
    // @ts-expect-error a name where an id is meant
    Cat.feed.to('tom', { grams: 1 });
  });

  test('refuses to use a message number twice', () => {
    const twice = { one: cast(1, z.object({})), two: cast(1, z.object({})) };
    expect(() => contract(catKind, twice)).toThrow('cat.two reuses the message number 1');
  });
});

describe('an implementation', () => {
  test('binds one handler to each message', () => {
    const actor = implement<Turn<bigint>>()(Cat, {
      feed: (_turn, { grams }) => ({ weight: grams }),
      nap: () => undefined,
      chased: () => undefined,
    });
    expect([...actor.handlers.entries()].map(([number, { name, mode }]) => [number, name, mode])).toEqual([
      [1, 'feed', 'call'],
      [2, 'nap', 'call'],
      [3, 'chased', 'cast'],
    ]);
  });

  test('is checked by the compiler', () => {
    const implementCat = implement<Turn<bigint>>();
    const naps = { nap: () => undefined, chased: () => undefined };
    implementCat(Cat, { ...naps, feed: () => delegatedReply });
    // @ts-expect-error a handler is missing
    implementCat(Cat, { nap: () => undefined, chased: () => undefined });
    // @ts-expect-error a reply of another shape
    implementCat(Cat, { ...naps, feed: () => ({ height: 1 }) });
  });
});

describe('placement', () => {
  test.each([1, 2, 3, 7, 1024])('%d partitions hold all slots in contiguous ranges of even size', (partitions) => {
    const placement = evenPlacement(partitions);
    const holders = Array.from({ length: 1024 }, (_, slot) => placement.partitionOf(slot));
    expect(holders).toEqual([...holders].sort((a, b) => a - b));
    const sizes = Array.from(
      { length: partitions },
      (_, number) => holders.filter((holder) => holder === number).length,
    );
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });

  test.each([0, 1025])('%d partitions are refused', (partitions) => {
    expect(() => evenPlacement(partitions)).toThrow();
  });

  test('a message goes where its actor lives', () => {
    const placement = evenPlacement(4);
    expect(partitionOfEnvelope(placement, Cat.nap.to(composeId(1, 1023, 0), {}))).toBe(3);
    expect(partitionOfEnvelope(placement, { kind: 9, key: 'alice', message: 1, body: {} })).toBe(
      Math.floor(slotOfKey('alice') / 256),
    );
    expect(partitionOfEnvelope(placement, Den.entered.to(2n, { cat: 1n }))).toBe(2);
  });
});
