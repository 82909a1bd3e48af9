/**
 * The counters of a partition become damaged while it runs: it stands still like one that starts with them, says so once
 * with the same words and advice, and goes on once they can be read.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { pack } from '../../src/runtime/codec.ts';
import { conditionName, type PartitionCondition } from '../../src/runtime/condition.ts';
import { meta } from '../../src/runtime/storage/machine.ts';
import { alice, bob, listenersRig } from './support/listeners.ts';
import { act, Said } from './support/players.ts';
import type { Rig, Seat } from './support/rig.ts';

const sentence =
  'Partition 1 has a record of "meta" that cannot be decoded, and stands still. Nothing was changed. Stop the server and restore the whole data folder from one backup, made while the server was stopped.';
const key = meta.encode([0]);

let rig: Rig;
let seat: Seat;
let heard: unknown[];
let sound: Uint8Array;

beforeEach(() => {
  ({ rig, heard } = listenersRig());
  seat = rig.seats[1]!;
  rig.scripts.define('say', (turn, text) => {
    heard.push(text);
    turn.emit(Said, { what: text as string });
  });
  rig.call(act(alice, 'say', 'first'));
  rig.settle();
  sound = Uint8Array.from(seat.store.get(key)!);
});

function store(bytes: Uint8Array): void {
  seat.store.apply({ keys: [key], values: [bytes] });
}

function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    rig.pass(1_000);
    rig.settle();
  }
}

const said = () => seat.problems.map(({ message }) => message);
const condition = () => {
  const found = seat.partition.control(conditionName, {}) as PartitionCondition;
  rig.settle();
  return found;
};
const standsStill = {
  canWrite: false,
  hasFailedLately: true,
  isFenced: false,
  hasDamagedCounters: true,
  frozenChannels: [],
};
const works = {
  canWrite: true,
  hasFailedLately: false,
  isFenced: false,
  hasDamagedCounters: false,
  frozenChannels: [],
};

function expectStandstill(before: readonly string[] = []): void {
  const refused = rig.call(act(alice, 'say', 'refused'));
  pass(60);
  expect([rig.refusalOf(refused), said(), condition()]).toEqual([
    'storageUnavailable',
    [...before, sentence],
    standsStill,
  ]);
  expect(seat.partition.load.hasDamagedCounters).toBe(true);
}

function expectRecovery(): void {
  store(sound);
  pass(60);
  rig.call(act(alice, 'say', 'second'));
  rig.call(act(bob, 'tell alice', 'from bob'));
  rig.settle();
  expect([heard.filter((text) => text === 'second' || text === 'from bob'), condition()]).toEqual([
    ['second', 'from bob'],
    works,
  ]);
  expect(seat.partition.load.hasDamagedCounters).toBe(false);
}

describe.each<[string, () => Uint8Array]>([
  ['garbage', () => Uint8Array.of(0xdf, 0xff, 0xff)],
  ['nothing', () => new Uint8Array(0)],
  ['null', () => Uint8Array.from(pack(null))],
  ['an object of something else', () => Uint8Array.from(pack({ what: 'something else' }))],
  ['their first half', () => sound.slice(0, sound.byteLength >> 1)],
])('which are %s', (_what, damage) => {
  test('met by a commit: it is refused, and nothing runs afterwards', () => {
    const call = rig.call(act(alice, 'say', 'lost'));
    seat.run();
    store(damage());
    rig.settle();
    expect(rig.refusalOf(call)).toBeDefined();
    expectStandstill();
    expectRecovery();
  });

  test('met by another thread while nothing is committed', () => {
    store(damage());
    seat.log.reader.refresh();
    seat.partition.damageMet(key);
    rig.settle();
    expectStandstill();
    expectRecovery();
  });

  test('met by a start', () => {
    store(damage());
    seat.restart();
    rig.settle();
    expectStandstill();
    expectRecovery();
  });

  test('met when what became of a commit is asked', () => {
    rig.call(act(alice, 'say', 'lost'));
    seat.run();
    store(damage());
    seat.lose(0);
    seat.run();
    expectStandstill(['partition 1 could not commit']);
    expectRecovery();
  });
});

test('that are damaged once more are told once more', () => {
  for (let times = 1; times <= 2; times += 1) {
    store(Uint8Array.of(0xdf, 0xff, 0xff));
    rig.call(act(alice, 'say', 'lost'));
    pass(10);
    expect(said().filter((message) => message === sentence)).toHaveLength(times);
    store(sound);
    pass(60);
  }
});

test('that another thread could not decode, and that are sound, cost nothing', () => {
  seat.partition.damageMet(key);
  rig.settle();
  const call = rig.call(act(alice, 'say', 'second'));
  rig.settle();
  expect([rig.refusalOf(call), heard, said()]).toEqual([undefined, ['first', 'second'], []]);
});
