import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packed } from '../../src/runtime/codec.ts';
import { composeId } from '../../src/runtime/ids.ts';
import { Committed } from '../../src/runtime/storage/committed.ts';
import { keyspace, uint32, uint53 } from '../../src/runtime/storage/keyspace.ts';
import { Layer } from '../../src/runtime/storage/layer.ts';
import type { StorageReader } from '../../src/runtime/storage/log.ts';
import { LayeredReader, mergedRange, SnapshotReader } from '../../src/runtime/storage/reader.ts';
import { MemoryLog, MemoryStore } from '../support/memory-log.ts';
import { notes } from './support/players.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const text = (value: Uint8Array) => Buffer.from(value).toString('latin1');

/** Layers, newest first, over a snapshot; every change is `[key, value]`, with undefined as a tombstone. */
type Change = readonly [key: string, value: string | undefined];

function layerOf(changes: readonly Change[]): Layer {
  const layer = new Layer();
  for (const [key, value] of changes) layer.set(key, 1, value === undefined ? undefined : bytes(value));
  return layer;
}

function snapshotOf(changes: readonly Change[]) {
  const store = new MemoryStore();
  store.apply({
    keys: changes.map(([key]) => bytes(key)),
    values: changes.map(([, value]) => (value === undefined ? undefined : bytes(value))),
  });
  return new MemoryLog(store).reader;
}

describe('a layer', () => {
  test('keeps what was written last, and that something was deleted', () => {
    const layer = layerOf([
      ['sa', 'one'],
      ['sa', 'two'],
      ['sb', 'three'],
      ['sb', undefined],
    ]);
    expect(text(layer.entries.get('sa')!)).toBe('two');
    expect([layer.entries.has('sb'), layer.entries.get('sb')]).toEqual([true, undefined]);
    expect(layer.size).toBe(2);
  });

  test('knows the keys of each scope in order, also when they came unordered', () => {
    const layer = layerOf([
      ['sc', '1'],
      ['sa', '1'],
      ['tb', '1'],
      ['sb', undefined],
    ]);
    expect(layer.sortedKeys('s')).toEqual(['sa', 'sb', 'sc']);
    expect(layer.sortedKeys('t')).toEqual(['tb']);
    expect(layer.sortedKeys('u')).toEqual([]);
  });

  test('absorbs a newer one with its scopes and tombstones', () => {
    const older = layerOf([
      ['sa', 'one'],
      ['sb', 'two'],
    ]);
    const newer = new Layer();
    newer.set('sa', 1, undefined);
    newer.set('long scope: a', 11, bytes('three'));
    older.absorb(newer);
    expect(older.sortedKeys('s')).toEqual(['sa', 'sb']);
    expect(older.sortedKeys('long scope:')).toEqual(['long scope: a']);
    expect(older.entries.get('sa')).toBeUndefined();
    expect(older.bytes).toBeGreaterThan(0);
  });
});

describe('a merged range', () => {
  const keys = fc
    .tuple(fc.constant('s'), fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\xff'), maxLength: 3 }))
    .map(([scope, rest]) => scope + rest);
  const changes = fc.array(fc.tuple(keys, fc.option(fc.string({ maxLength: 2 }), { nil: undefined })), {
    maxLength: 20,
  });
  const query = fc.record({ start: keys, end: keys, reverse: fc.boolean(), taken: fc.nat(12) });

  test('over four layers and a snapshot equals the range of one map that took all writes in turn', () => {
    fc.assert(
      fc.property(
        fc.array(changes, { minLength: 4, maxLength: 4 }),
        changes,
        fc.array(query),
        (above, below, asked) => {
          const layers = above.map(layerOf);
          const snapshot = snapshotOf(below);
          const model = new Map<string, string>();
          for (const [key, value] of [below, ...[...above].reverse()].flat()) {
            if (value === undefined) model.delete(key);
            else model.set(key, value);
          }
          for (const { start, end, reverse, taken } of asked) {
            const expected = [...model]
              .filter(([key]) => key >= start && key < end)
              .sort(([a], [b]) => (a < b ? -1 : 1));
            if (reverse) expected.reverse();
            const seen: [string, string][] = [];
            const bounds = { start: bytes(start), end: bytes(end), reverse };
            for (const entry of mergedRange(layers, snapshot, 's', bounds)) {
              if (seen.length === taken) break;
              seen.push([entry.key, text(entry.value)]);
            }
            expect(seen).toEqual(expected.slice(0, taken));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

const topics = keyspace<[number, number], string>({
  number: 210,
  name: 'topics',
  owner: 'test',
  partitionWide: true,
  scopeParts: 1,
  key: [uint32('topic'), uint53('position')],
  value: packed(),
  bound: { by: 'owner', reason: 'tests end' },
});

class OneLayer extends LayeredReader {
  private readonly layer: Layer;

  constructor(layer: Layer, snapshot: StorageReader) {
    super(new Committed(snapshot));
    this.layer = layer;
  }

  protected override layers(): readonly Layer[] {
    return [this.layer];
  }
}

describe('a layered reader', () => {
  const alice = composeId(1, 7, 0);
  const bob = composeId(1, 7, 1);

  function put(layer: Layer, player: bigint, position: number, note: string | undefined): void {
    const key = notes.encode([player, position]).toString('latin1');
    layer.set(key, notes.scopeBytes, note === undefined ? undefined : notes.value.encode(note));
  }

  /** alice: 1 in the snapshot, 2 and 3 in the layer, 4 deleted by it; bob: 1 in the snapshot. */
  function readers() {
    const store = new MemoryStore();
    const stored: [bigint, number][] = [
      [alice, 1],
      [alice, 4],
      [bob, 1],
    ];
    store.apply({
      keys: stored.map((key) => notes.encode(key)),
      values: stored.map(([, position]) => notes.value.encode(`stored ${position}`)),
    });
    const layer = new Layer();
    put(layer, alice, 3, 'new 3');
    put(layer, alice, 2, 'new 2');
    put(layer, alice, 4, undefined);
    const snapshot = new MemoryLog(store).reader;
    return { layer, layered: new OneLayer(layer, snapshot), plain: new SnapshotReader(snapshot) };
  }

  test('gets from the newest place that knows the key', () => {
    const { layered, plain } = readers();
    expect([1, 2, 4, 5].map((position) => layered.get(notes, [alice, position]))).toEqual([
      'stored 1',
      'new 2',
      undefined,
      undefined,
    ]);
    expect(plain.get(notes, [alice, 4])).toBe('stored 4');
  });

  test.each([
    ['all of one actor, and nothing of its neighbour', {}, [1, 2, 3]],
    ['from a position, included', { from: 2 }, [2, 3]],
    ['until a position, excluded', { until: 3 }, [1, 2]],
    ['between positions, the highest first', { from: 1, until: 3, reverse: true }, [2, 1]],
    ['the first ones', { limit: 2 }, [1, 2]],
    ['the last one', { limit: 1, reverse: true }, [3]],
    ['none', { limit: 0 }, []],
    ['none between equal bounds', { from: 2, until: 2 }, []],
  ])('ranges over %s', (_, query, positions) => {
    expect([...readers().layered.range(notes, [alice], query)].map(({ key }) => key[1])).toEqual(positions);
  });

  test('a range shows each entry once and in order, whatever the loop writes and reads', () => {
    const { layer, layered } = readers();
    const seen: number[] = [];
    for (const { key } of layered.range(notes, [alice])) {
      seen.push(key[1]);
      // Out of order, so that the layer has to sort its keys again under the open range.
      put(layer, alice, 9 - key[1], 'written by the loop');
      put(layer, alice, 0, 'before the first');
      expect([...layered.range(notes, [alice])].map((entry) => entry.key[1])).toContain(0);
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  test('a range must fix as many parts as its keyspace says, or it would miss what is not committed', () => {
    const { layered } = readers();
    expect(() => [...layered.range(topics, [])]).toThrow('topics');
    expect(() => [...layered.range(topics, [], { from: 1 })]).toThrow('topics');
    expect([...layered.range(topics, [1])]).toEqual([]);
  });
});
