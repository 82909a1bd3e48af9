/**
 * A sparse keyspace reads as if nothing were remembered of it, whatever turns write, in whichever order commits reach
 * the disk, the snapshot and memory, and whichever of them are lost.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { present } from '../../src/runtime/codec.ts';
import { composeId, slotOfId } from '../../src/runtime/ids.ts';
import { partitionLimits } from '../../src/runtime/limits.ts';
import { type TurnHost, TurnRun } from '../../src/runtime/partition/turn.ts';
import { Committed } from '../../src/runtime/storage/committed.ts';
import {
  hashedString,
  id,
  type Keyspace,
  type KeyspaceDeclaration,
  keyspace,
  uint32,
} from '../../src/runtime/storage/keyspace.ts';
import { Layer } from '../../src/runtime/storage/layer.ts';
import { LayeredReader } from '../../src/runtime/storage/reader.ts';
import { MemoryLog, MemoryStore } from '../support/memory-log.ts';

/** More than memory has room for: each has some eight entries there. */
const actorCount = 5;
const entriesRemembered = 24;
const bytesRemembered = entriesRemembered * partitionLimits.emptyScopesOfActorBytes;

let lastNumber = 100;

/** A keyspace, and its keys by the number of an actor and of another. */
interface Space {
  readonly space: Keyspace<readonly unknown[], true>;
  keyOf(actor: number, other: number): readonly unknown[];
}

function sparse<Key extends readonly unknown[]>(
  declared: Pick<KeyspaceDeclaration<Key, true>, 'key' | 'partitionWide' | 'scopeParts'>,
  keyOf: (actor: number, other: number) => Key,
): Space {
  lastNumber += 1;
  const rest = { name: `space ${lastNumber}`, owner: 'player', sparse: true, value: present } as const;
  const bound = { by: 'owner', reason: 'tests end' } as const;
  const space = keyspace<Key, true>({ number: lastNumber, ...rest, ...declared, bound });
  return { space: space as unknown as Space['space'], keyOf };
}

const idOf = (actor: number) => composeId(1 + actor, 7, 0);
const player = id('player');

/** More than one entry has bits for, with scopes of all kinds and lengths. */
const spaces: readonly Space[] = [
  ...Array.from({ length: 28 }, () => sparse<[bigint]>({ key: [player] }, (actor) => [idOf(actor)])),
  sparse<[bigint, bigint]>({ key: [player, id('other')] }, (actor, other) => [idOf(actor), idOf(other)]),
  sparse<[bigint, bigint]>({ key: [player, id('other')], scopeParts: 2 }, (actor, other) => [idOf(actor), idOf(other)]),
  sparse<[string, number]>({ key: [hashedString('name'), uint32('other')] }, (actor, other) => [
    `name ${actor}`,
    other,
  ]),
  sparse<[bigint, number]>({ key: [player, uint32('other')] }, (actor, other) => [idOf(actor), other]),
  sparse<[number]>({ key: [uint32('actor')], partitionWide: true }, (actor) => [actor]),
  sparse<[bigint, number]>({ key: [player, uint32('other')], partitionWide: true, scopeParts: 1 }, (actor, other) => [
    idOf(actor),
    other,
  ]),
];

/** Reads what turns wrote above what the disk has, as a turn does. */
class Turns extends LayeredReader {
  /** Oldest first; the first `applied` are on disk, and memory does not know it yet. */
  batches: Layer[] = [];
  applied = 0;

  protected override layers(): readonly Layer[] {
    return this.batches.toReversed();
  }
}

interface Written {
  readonly index: number;
  readonly other: number;
  readonly isPut: boolean;
}

type Step =
  | { readonly what: 'ask'; readonly actor: number }
  | { readonly what: 'write'; readonly actor: number; readonly written: readonly Written[] }
  /** The oldest batch reaches the disk; the snapshot moves on by itself; memory learns of a batch; the others are lost. */
  | { readonly what: 'apply' | 'refresh' | 'land' | 'lose' };

class Story {
  private readonly store = new MemoryStore();
  private readonly snapshot = new MemoryLog(this.store).reader;
  private readonly committed = new Committed(this.snapshot, bytesRemembered - partitionLimits.emptyScopesBytesMin);
  private readonly turns = new Turns(this.committed);
  /** The model: the keys on disk, and those that a turn must see. */
  private readonly disk = new Set<string>();
  private seen = new Set<string>();

  step(step: Step): void {
    if (step.what === 'ask') this.ask(step.actor);
    else if (step.what === 'write') this.write(step.actor, step.written);
    else if (step.what === 'apply') this.apply();
    else if (step.what === 'refresh') this.snapshot.refresh();
    else if (step.what === 'land') this.land();
    else this.lose();
  }

  /** Reads everything that an actor may have: its own as its turn does, which asks for much at once. */
  ask(actor: number): void {
    const turn = this.turnOf(actor);
    for (const { space, keyOf } of spaces) {
      const reader = space.reach === 'actor' ? turn : this.turns;
      const keys = [0, 1].map((other) => keyOf(actor, other));
      const expected = keys.map((key) => this.seen.has(textOf(space, key)));
      expect([space.name, actor, keys.map((key) => reader.get(space, key) ?? false)]).toEqual([
        space.name,
        actor,
        expected,
      ]);
      const found = new Set(keys.flatMap((key) => Array.from(reader.range(space, key), () => textOf(space, key))));
      expect([space.name, actor, found.size]).toEqual([
        space.name,
        actor,
        new Set(keys.map((key) => textOf(space, key)).filter((key) => this.seen.has(key))).size,
      ]);
    }
  }

  private turnOf(actor: number): TurnRun {
    const { committed } = this;
    return new TurnRun({
      host: { committed, partition: 0, partitions: 1 } as TurnHost,
      self: { kind: 1, key: idOf(actor) },
      kindName: 'player',
      slot: slotOfId(idOf(actor)),
      flow: 'system',
      cause: undefined,
      replyTo: undefined,
      mayBeRefused: true,
      now: 0,
      layers: this.turns.batches.toReversed(),
    });
  }

  private write(actor: number, written: readonly Written[]): void {
    const layer = new Layer();
    for (const { index, other, isPut } of written) {
      const { space, keyOf } = spaces[index]!;
      const key = keyOf(actor, other);
      layer.set(textOf(space, key), space.scopeBytes, isPut ? space.value.encode(true) : undefined);
    }
    this.turns.batches.push(layer);
    follow(this.seen, layer);
  }

  private apply(): void {
    const layer = this.turns.batches[this.turns.applied];
    if (layer === undefined) return;
    this.turns.applied += 1;
    const keys = [...layer.entries.keys()].map((key) => Buffer.from(key, 'latin1'));
    this.store.apply({ keys, values: [...layer.entries.values()] });
    follow(this.disk, layer);
  }

  private land(): void {
    if (this.turns.applied === 0) return;
    this.turns.applied -= 1;
    this.committed.landed(this.turns.batches.shift()!);
  }

  /** Memory is not told of those on disk either, as where the disk could not be read when they landed. */
  private lose(): void {
    this.turns.batches = [];
    this.turns.applied = 0;
    this.committed.reopen();
    this.seen = new Set(this.disk);
  }
}

function textOf(space: Space['space'], key: readonly unknown[]): string {
  return space.encode(key).toString('latin1');
}

function follow(keys: Set<string>, { entries }: Layer): void {
  for (const [key, value] of entries)
    if (value === undefined) keys.delete(key);
    else keys.add(key);
}

const actor = fc.nat(actorCount - 1);
const written = fc.record({ index: fc.nat(spaces.length - 1), other: fc.nat(1), isPut: fc.boolean() });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant('ask' as const), actor }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('write' as const), actor, written: fc.array(written, { maxLength: 6 }) }),
  },
  { weight: 5, arbitrary: fc.record({ what: fc.constantFrom('apply' as const, 'refresh' as const, 'land' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('lose' as const) }) },
);

test('what is remembered of sparse keyspaces changes no answer', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const story = new Story();
      for (const one of steps) story.step(one);
      for (let index = 0; index < actorCount; index += 1) story.ask(index);
    }),
  );
});
