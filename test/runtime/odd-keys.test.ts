/**
 * Entries under keys that are none of their keyspace: too short, too long, or with a number that no counter gives. They
 * are left out and stay where they are, and a letter names each once. Everything else goes on.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { pack } from '../../src/runtime/codec.ts';
import { lettersOf } from '../../src/runtime/letters.ts';
import type { AnyKeyspace } from '../../src/runtime/storage/keyspace.ts';
import {
  cursors,
  deadLetterRecords,
  deadLetters,
  effects,
  eventRecords,
  events,
  inbox,
  outbox,
  timers,
} from '../../src/runtime/storage/machine.ts';
import { SnapshotReader } from '../../src/runtime/storage/reader.ts';
import { alice, bob, listenersRig } from './support/listeners.ts';
import { act, Fetch, hear, notes, Player, Said } from './support/players.ts';
import { type Rig, type Seat, startOfTime } from './support/rig.ts';

let rig: Rig;
let seat: Seat;
let heard: unknown[];

beforeEach(() => {
  ({ rig, heard } = listenersRig());
  seat = rig.seats[1]!;
  rig.scripts.define('say', (turn) => turn.emit(Said, { what: 'said' }));
  rig.scripts.define('read', (turn) => [...turn.range(notes, [turn.self.key])].map(({ value }) => value));
});

const { kind, key: actor, message: number, body } = hear(alice, 'listen', 'odd');
const message = [kind, actor, number, body, 'system'];
const effect = {
  ...{ effect: Fetch.number, request: { what: 'odd' }, kind, key: alice, flow: 'system' },
  message: Player.answered.number,
};

/** With the first parts of the key of a sound entry, and a value that is sound. */
const places: [string, AnyKeyspace, readonly number[], unknown][] = [
  ['inbox', inbox as never, [1], message],
  ['timers', timers as never, [startOfTime, 1], message],
  ['effects', effects as never, [1], effect],
  ['events', events as never, [1], { at: startOfTime, events: [] }],
  ['outbox', outbox as never, [0, 1], [message]],
  ['cursors', cursors as never, [0], [1, 1, 5]],
  ['dead letters', deadLetters as never, [1], { at: 5, message, error: 'it fell' }],
];

const changes: [string, (key: Uint8Array) => Uint8Array][] = [
  ['a key without its end', (key) => key.slice(0, -4)],
  ['a key without its last number', (key) => key.slice(0, key.byteLength > 11 ? -8 : -4)],
  ['a key that is too long', (key) => Uint8Array.of(...key, 0, 0)],
  ['a number of 64 bits', (key) => Uint8Array.of(...key.slice(0, -8), ...new Uint8Array(8).fill(0xff))],
];

function store(key: Uint8Array, value: Uint8Array): void {
  seat.store.apply({ keys: [key], values: [value] });
}

function work(): void {
  for (let second = 0; second < 5; second += 1) {
    rig.pass(1_000);
    rig.settle();
  }
  heard.length = 0;
  rig.call(act(bob, 'tell alice', 'from bob'));
  rig.call(act(alice, 'tell bob', 'from alice'));
  rig.call(act(alice, 'say'));
  rig.settle();
  rig.pass(5 * 60 * 60 * 1_000);
  rig.call(act(alice, 'say'));
  rig.settle();
  expect([...heard].sort()).toEqual(['from alice', 'from bob']);
}

/** As gateways read letters and events. */
function look(): void {
  const reader = new SnapshotReader(seat.store, ({ entry }) => seat.partition.damageMet(entry.key));
  expect([...reader.range(deadLetterRecords, [])].length).toBeLessThan(2);
  expect([...reader.range(eventRecords, [])]).toHaveLength(1);
  rig.settle();
}

const told = () => [...lettersOf(seat.disk)].map(({ message: [, place] }) => place);

describe.each(places)('in %s', (name, space, parts, value) => {
  test.each(
    changes.filter(([what]) => space.parts.at(-1)!.bytes === 8 || !what.includes('64')),
  )('%s', (_what, change) => {
    const key = change(space.encode(parts));
    const bytes = Uint8Array.from(pack(value));
    work();
    store(key, bytes);
    for (let starts = 0; starts < 3; starts += 1) {
      for (const each of rig.seats) each.restart();
      rig.settle();
      expect(heard).not.toContain('odd');
      expect(seat.effects).toEqual([]);
      work();
      look();
    }
    expect(told()).toEqual([`the key ${Buffer.from(key).toString('hex')} of ${name}`]);
    expect(Uint8Array.from(seat.store.get(key)!)).toEqual(bytes);
    const order = rig.orderLetters(1, { what: 'deleteRecord', sequences: [[...lettersOf(seat.disk)][0]!.sequence] });
    rig.settle();
    expect([rig.valueOf(order), seat.store.get(key), told()]).toEqual([
      { handled: 1, taken: 1, failed: 0, records: 0 },
      undefined,
      [],
    ]);
    work();
  });
});

test('among the records of an actor', () => {
  const key = notes.encode([alice, 1]).subarray(0, -3);
  store(key, notes.value.encode('odd') as Uint8Array);
  store(notes.encode([alice, 2]), notes.value.encode('sound') as Uint8Array);
  seat.restart();
  const call = rig.call(act(alice, 'read'));
  rig.settle();
  expect([rig.valueOf(call), told()]).toEqual([['sound'], [`the key ${key.toString('hex')} of notes`]]);
});
