/**
 * One entry of each of the machine's own keyspaces is damaged in each way, on the disk of a partition that starts then.
 * What is lost is that entry alone: the partition runs, the entries beside it take effect once, the operator hears of
 * the damage once, and a second start changes nothing.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { pack, unpack } from '../../src/runtime/codec.ts';
import { eventsFrom } from '../../src/runtime/events/event-log.ts';
import { lettersOf } from '../../src/runtime/letters.ts';
import { decodeRecord } from '../../src/runtime/partition/undecodable.ts';
import type { Keyspace } from '../../src/runtime/storage/keyspace.ts';
import { StorageFailure } from '../../src/runtime/storage/log.ts';
import { isOpenedSince } from '../../src/runtime/storage/log-state.ts';
import {
  cursorRecords,
  deadLetterRecords,
  effectRecords,
  eventRecords,
  events,
  inboxRecords,
  meta,
  metaRecords,
  outbox,
  type PartitionMeta,
  startingMeta,
  timerRecords,
} from '../../src/runtime/storage/machine.ts';
import { alice, bob, listenersRig } from './support/listeners.ts';
import { act, Fetch, hear, notes, Player, Said, Stage } from './support/players.ts';
import { type Rig, type Seat, startOfTime } from './support/rig.ts';

const texts = ['one', 'two', 'three'];

let rig: Rig;
/** The partition whose entry is damaged. */
let seat: Seat;
let heard: unknown[];

beforeEach(() => {
  ({ rig, heard } = listenersRig());
  seat = rig.seats[1]!;
  rig.scripts.define('say', (turn, text) => turn.emit(Said, { what: text as string }));
});

/** What a record becomes. */
type Damage = (record: Uint8Array) => Uint8Array;

const whole: [string, Damage][] = [
  ['garbage', () => Uint8Array.of(0xdf, 0xff, 0xff)],
  ['nothing', () => new Uint8Array(0)],
  ['its first half', (record) => record.slice(0, record.byteLength >> 1)],
  ['all but its last byte', (record) => record.slice(0, -1)],
  ['a number', () => Uint8Array.from(pack(5))],
  ['null', () => Uint8Array.from(pack(null))],
  ['a text', () => Uint8Array.from(pack('odd'))],
  ['an empty list', () => Uint8Array.from(pack([]))],
  ['a short list', () => Uint8Array.from(pack([1]))],
  ['a long list', () => Uint8Array.from(pack(Array.from({ length: 40 }, () => 1)))],
  ['an object of something else', () => Uint8Array.from(pack({ what: 'something else' }))],
];

/** One field of it has a value of another type. */
function fieldDamages(fields: readonly (string | number)[], number: readonly unknown[] = [5]): [string, Damage][] {
  const odd: [string, unknown][] = [
    ['an object', { odd: 1 }],
    ['a text', 'odd'],
    ...number.map((value): [string, unknown] => ['a number', value]),
    ['a list', [{ odd: 1 }, 5]],
    ['null', null],
  ];
  return fields.flatMap((field) =>
    odd.map(([what, value]): [string, Damage] => [
      `with ${what} in place of ${field}`,
      (record) => {
        const decoded = unpack(record) as Record<string | number, unknown>;
        decoded[field] = value;
        return Uint8Array.from(pack(Array.isArray(decoded) ? Array.from(decoded) : decoded));
      },
    ]),
  );
}

function store<Key extends readonly unknown[]>(space: Keyspace<Key, unknown>, key: Key, bytes: Uint8Array): void {
  seat.store.apply({ keys: [space.encode(key)], values: [bytes] });
}

function damage<Key extends readonly unknown[]>(space: Keyspace<Key, Uint8Array>, key: Key, how: Damage): void {
  store(space, key, how(seat.disk.get(space, key)!));
}

/** The counters as if these numbers had been given. */
function count(counters: Partial<PartitionMeta>): void {
  const found = seat.disk.get(meta, [0])!;
  store(metaRecords, [0], meta.value.encode({ ...found, ...counters }));
}

const message = (text: string) => {
  const { kind, key, message: number, body } = hear(alice, 'listen', text);
  return [kind, key, number, body, 'system'];
};
const effect = (what: string) => ({
  ...{ effect: Fetch.number, request: { what }, kind: 200, key: alice },
  ...{ message: Player.answered.number, flow: 'system' },
});

function restart(): void {
  for (const each of rig.seats) each.restart();
  rig.settle();
  for (let second = 0; second < 20; second += 1) {
    rig.pass(1_000);
    rig.settle();
  }
}

const letters = () => rig.seats.flatMap(({ disk }) => [...lettersOf(disk)]);

/** Whether the schema of the event log's records allows this one. */
function isRecord(bytes: Uint8Array): boolean {
  try {
    decodeRecord(events, bytes);
    return true;
  } catch {
    return false;
  }
}

/** The partition runs: it takes calls, frames, and commits. */
function expectWork(): void {
  const before = heard.length;
  rig.call(act(bob, 'tell alice', 'again'));
  rig.call(act(alice, 'listen', 'again'));
  rig.settle();
  expect(heard.slice(before)).toEqual(['again', 'again']);
  heard.length = before;
}

/** What was damaged took effect as well, or there is one letter of it. */
function expectOneLoss(): void {
  const two = heard.filter((text) => text === 'two');
  expect(heard.filter((text) => text === 'one' || text === 'three').sort()).toEqual(['one', 'three']);
  const others = heard.filter((text) => !texts.includes(text as string));
  const places = new Set(letters().map(({ message: [, place] }) => String(place).replace(/^message \d+ of /, '')));
  expect(two.length + others.length + places.size).toBe(1);
  expect(rig.seats.flatMap(({ problems }) => problems).length).toBe(letters().length);
}

function expectOneLossForGood(): void {
  expectOneLoss();
  expectWork();
  const before = [heard.length, letters().length, rig.seats.flatMap(({ problems }) => problems).length];
  restart();
  expect([heard.length, letters().length, rig.seats.flatMap(({ problems }) => problems).length]).toEqual(before);
  expectWork();
}

const messageFields = [0, 1, 2, 3, 4, 5, 6];

describe.each([...whole, ...fieldDamages(messageFields)])('a message, %s,', (_what, how) => {
  test('in the inbox', () => {
    for (const [index, text] of texts.entries()) store(inboxRecords, [index + 1], Uint8Array.from(pack(message(text))));
    count({ inboxSequence: 3 });
    damage(inboxRecords, [2], how);
    restart();
    expectOneLossForGood();
  });

  test('in a timer', () => {
    for (const [index, text] of texts.entries())
      store(timerRecords, [startOfTime + 10, index + 1], Uint8Array.from(pack(message(text))));
    count({ timerSequence: 3 });
    damage(timerRecords, [startOfTime + 10, 2], how);
    restart();
    expectOneLossForGood();
  });

  test('in a frame', () => {
    for (const text of texts) {
      rig.call(act(alice, 'tell bob', text));
      seat.settle();
    }
    seat.frames.length = 0;
    damage(outbox, [0, 2], (record) => {
      const inner = Uint8Array.from(pack((unpack(record.slice(19)) as unknown[])[0]));
      return Uint8Array.of(...record.slice(0, 19), 0x91, ...how(inner));
    });
    restart();
    expectOneLossForGood();
  });
});

describe.each(whole)('%s in place of', (_what, how) => {
  test('a frame', () => {
    for (const text of texts) {
      rig.call(act(alice, 'tell bob', text));
      seat.settle();
    }
    seat.frames.length = 0;
    damage(outbox, [0, 2], how);
    restart();
    expectOneLossForGood();
  });
});

const effectFields = ['effect', 'request', 'kind', 'key', 'message', 'flow', 'cause'];

test.each([...whole, ...fieldDamages(effectFields)])('an effect, %s', (_what, how) => {
  rig.scripts.define('answered', (_turn, text) => void heard.push(text));
  for (const [index, text] of texts.entries()) store(effectRecords, [index + 1], Uint8Array.from(pack(effect(text))));
  count({ effectSequence: 3 });
  damage(effectRecords, [2], how);
  restart();
  for (const { request, answer } of seat.effects.splice(0))
    answer((request as { what?: string } | null)?.what ?? 'something else');
  rig.settle();
  expect(seat.partition.load).toMatchObject({ effectsPending: 0, effectsBytes: 0 });
  expectOneLossForGood();
  expect([...seat.disk.range(effectRecords, [])]).toEqual([]);
});

test.each<[string, unknown]>([
  ['an id', alice],
  ['a text', 'odd'],
  ['a negative number', -1n],
  ['the number after the last', 2n],
])('a timer of the actor of a partition that is %s: it is a letter', (_what, key) => {
  const { kind, message: number, body } = Stage.hear.to(1n, { script: 'listen', argument: 'two' });
  for (const [index, stored] of [message('one'), [kind, key, number, body, 'system'], message('three')].entries())
    store(timerRecords, [startOfTime + 10, index + 1], Uint8Array.from(pack(stored)));
  count({ timerSequence: 3 });
  restart();
  expectOneLossForGood();
});

test.each([
  ...whole,
  ...fieldDamages([0, 1, 2], []),
])('what was taken of a channel, %s: it stands still, and nothing else does', (_what, how) => {
  rig.call(act(bob, 'tell alice', 'one'));
  rig.settle();
  const sound = seat.disk.get(cursorRecords, [0])!;
  damage(cursorRecords, [0], how);
  const isDamaged = Buffer.compare(sound, seat.disk.get(cursorRecords, [0])!) !== 0;
  restart();
  rig.call(act(bob, 'tell alice', 'two'));
  rig.call(act(alice, 'listen', 'three'));
  rig.settle();
  expect([isDamaged, heard]).toEqual([true, ['one', 'three']]);
  expect(rig.seats.flatMap(({ problems }) => problems.map(({ message: said }) => said))).toEqual([
    expect.stringMatching(/stand still and none is lost\. Stop the server and restore/),
  ]);
});

describe.each([...whole, ...fieldDamages(['at', 'events'])])('a record of the event log, %s,', (_what, how) => {
  const minutes = 60 * 1000;
  let isSound: boolean;

  beforeEach(() => {
    for (const text of texts) {
      rig.call(act(alice, 'say', text));
      rig.settle();
      rig.pass(10 * minutes);
    }
    damage(eventRecords, [2], how);
    isSound = isRecord(seat.disk.get(eventRecords, [2])!);
    restart();
  });

  const read = () => [...eventsFrom(seat.disk, 1, 0)].map(({ events }) => events.map(({ event }) => event));

  test('is replayed as it was, or as an event that nobody knows', () => {
    const [before, damaged, behind] = read();
    expect([before, behind]).toEqual([[Said.number], [Said.number]]);
    expect(damaged!.length).toBeGreaterThan(0);
    expect(damaged!.filter((event) => event !== Said.number && event !== 0)).toEqual([]);
    expectWork();
  });

  test('leaves the log with those before and behind it, and the counters stay sound', () => {
    for (let tens = 3; tens < 20; tens += 1) {
      rig.pass(10 * minutes);
      rig.call(act(alice, 'say', 'late'));
      restart();
      expectWork();
    }
    expect([...seat.disk.range(eventRecords, [])].map(({ key }) => key[0]).filter((commit) => commit < 4)).toEqual([]);
    const places = isSound ? [] : ['the entry 2 of events'];
    expect(letters().map(({ message: [, place] }) => place)).toEqual(places);
    expect(rig.seats.flatMap(({ problems }) => problems)).toHaveLength(places.length);
  });
});

const letterFields = ['at', 'message', 'error', 'effect', 'recordKey'];

test.each([...whole, ...fieldDamages(letterFields)])('a dead letter, %s', (_what, how) => {
  for (const [index, text] of texts.entries())
    store(deadLetterRecords, [index + 1], Uint8Array.from(pack({ at: 5, message: message(text), error: 'it fell' })));
  count({ deadLetterSequence: 3, deadLettersKept: 3 });
  damage(deadLetterRecords, [2], how);
  restart();
  expect([...lettersOf(seat.disk)].map(({ sequence }) => sequence)).toEqual([3, 2, 1]);
  for (const what of ['deleteRecord', 'retry', 'drop'] as const) {
    rig.orderLetters(1, { what, sequences: [1, 2, 3] });
    rig.settle();
  }
  expect(heard.filter((text) => text !== 'two').sort()).toEqual(['one', 'three']);
  expectWork();
  restart();
  expect([letters(), seat.partition.load.lettersKept]).toEqual([[], 0]);
  expectWork();
});

test.each([
  ...whole,
  ...fieldDamages(Object.keys(startingMeta), []),
])('the counters, %s: the partition stands still until they can be read', (_what, how) => {
  rig.call(act(alice, 'listen', 'one'));
  rig.settle();
  const sound = seat.disk.get(metaRecords, [0])!;
  damage(metaRecords, [0], how);
  const damaged = seat.disk.get(metaRecords, [0])!;
  if (Buffer.compare(sound, damaged) === 0) throw new Error('nothing is damaged');
  seat.restart();
  seat.run();
  const refused = rig.call(act(alice, 'listen', 'refused'));
  rig.pass(1_000);
  seat.run();
  expect([rig.refusalOf(refused), seat.disk.get(metaRecords, [0])]).toEqual(['storageUnavailable', damaged]);
  store(metaRecords, [0], sound);
  for (let second = 0; second < 20; second += 1) {
    rig.pass(1_000);
    rig.settle();
  }
  rig.call(act(alice, 'listen', 'two'));
  rig.settle();
  expect(heard).toEqual(['one', 'two']);
});

test('a letter of a record whose bytes are something else is a letter that cannot be decoded', () => {
  const odd = {
    at: 5,
    message: [0, 'a place', 0, 'no bytes', 'system'],
    error: '',
    recordKey: notes.encode([alice, 1]),
  };
  store(deadLetterRecords, [1], Uint8Array.from(pack(odd)));
  store(notes, [alice, 2], Uint8Array.of(0xdf, 0xff, 0xff));
  count({ deadLetterSequence: 1, deadLettersKept: 1 });
  rig.scripts.define('read', (turn) => turn.get(notes, [turn.self.key, 2]));
  restart();
  rig.orderLetters(1, { what: 'deleteRecord', sequences: [1] });
  const call = rig.call(act(alice, 'read'));
  rig.settle();
  expect([rig.refusalOf(call), letters().map(({ message: [, place] }) => place)]).toEqual([
    'internal',
    [`dead letter 1`, `the entry ${alice}, 2 of notes`].reverse(),
  ]);
  expectWork();
});

test.each(whole)('counters that are damaged under a running partition (%s) do not end its thread', (_what, how) => {
  rig.call(act(alice, 'listen', 'one'));
  rig.settle();
  damage(metaRecords, [0], how);
  let found: unknown;
  try {
    found = isOpenedSince(seat.store, 1_000);
  } catch (error) {
    found = error instanceof StorageFailure ? false : error;
  }
  expect(found).toBe(false);
});
