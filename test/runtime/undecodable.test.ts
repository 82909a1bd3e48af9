/** Records that cannot be decoded: each is set aside with its bytes and its place, and everything else goes on. */
import { beforeEach, describe, expect, test } from 'vitest';
import { pack } from '../../src/runtime/codec.ts';
import { digestOfFrame } from '../../src/runtime/partition/frame-record.ts';
import { decodeMessage } from '../../src/runtime/partition/undecodable.ts';
import type { Keyspace } from '../../src/runtime/storage/keyspace.ts';
import { deadLetters, eventRecords, inboxRecords, timerRecords } from '../../src/runtime/storage/machine.ts';
import { act, hear, notes, playerOf, Said } from './support/players.ts';
import { Rig, type Seat, startOfTime } from './support/rig.ts';

const alice = playerOf(1, 2);
const bob = playerOf(0, 2);
/** Bytes that are no MessagePack, and some that are, and no message. */
const damaged = Uint8Array.of(0xdf, 0xff, 0xff);
const odd = Uint8Array.from(pack({ what: 'something else' }));
const good = pack([200, alice, 2, { script: 'listen', argument: 'good' }, 'system']);

let rig: Rig;
let seat: Seat;
let heard: unknown[];

beforeEach(() => {
  rig = new Rig(2);
  seat = rig.seats[1]!;
  heard = [];
  rig.scripts.define('listen', (turn, argument) => {
    heard.push(argument);
    turn.put(notes, [turn.self.key, 1], 'heard');
  });
  rig.scripts.define('tell', (turn, argument) => turn.tell(hear(alice, 'listen', argument)));
  rig.scripts.define('say', (turn) => turn.emit(Said, { what: 'said' }));
});

function letters(): [unknown, unknown][] {
  return [...seat.disk.range(deadLetters, [])].map(({ value: { message } }) => [message[1], message[3]]);
}

function store<Key extends readonly unknown[]>(space: Keyspace<Key, Uint8Array>, key: Key, bytes: Uint8Array): void {
  seat.store.apply({ keys: [space.encode(key)], values: [bytes] });
}

test('a record of the inbox', () => {
  for (const [index, bytes] of [damaged, good, odd].entries()) store(inboxRecords, [index + 1], bytes);
  seat.restart();
  rig.settle();
  expect(heard).toEqual(['good']);
  expect(letters()).toEqual([
    ['inbox 1', damaged],
    ['inbox 3', odd],
  ]);
  expect([...seat.disk.range(inboxRecords, [])]).toEqual([]);
  seat.restart();
  rig.settle();
  expect(letters()).toHaveLength(2);
});

test('a timer', () => {
  for (const [index, bytes] of [damaged, good, odd].entries()) store(timerRecords, [startOfTime + 10, index], bytes);
  seat.restart();
  rig.settle();
  expect(letters()).toEqual([]);
  rig.pass(10);
  rig.settle();
  expect(heard).toEqual(['good']);
  expect(letters()).toEqual([
    [`timer ${startOfTime + 10} 0`, damaged],
    [`timer ${startOfTime + 10} 2`, odd],
  ]);
  expect([...seat.disk.range(timerRecords, [])]).toEqual([]);
});

describe('a frame', () => {
  function receive(record: Uint8Array): void {
    const bytes = Uint8Array.from(record);
    const digest = digestOfFrame(bytes);
    const frame = { source: 0, destination: 1, sequence: 1, bytes, digest, acknowledged: 0, recovered: true };
    seat.partition.receive(frame);
    seat.settle();
  }

  test.each([
    ['that is damaged', damaged, [['frame 1 of partition 0', damaged]], []],
    ['that is no list', odd, [['frame 1 of partition 0', odd]], []],
    [
      'of which one message is none',
      pack([decodeMessage(good), { what: 'something else' }, decodeMessage(good)]),
      [['message 1 of frame 1 of partition 0', odd]],
      ['good', 'good'],
    ],
  ])('%s', (_what, bytes, kept, ran) => {
    receive(bytes);
    expect([letters(), heard]).toEqual([kept, ran]);
    expect(seat.acknowledgements).toMatchObject([{ source: 0, sequence: 1 }]);
    expect(seat.problems.map(({ message }) => message)).toEqual([expect.stringContaining('cannot be decoded')]);
  });
});

test('a record of the event log is forgotten like one that is old', () => {
  rig.call(act(alice, 'say'));
  rig.settle();
  store(eventRecords, [1], damaged);
  seat.restart();
  for (let count = 0; count < 3; count += 1) rig.call(act(alice, 'say'));
  rig.settle();
  expect([...seat.disk.range(eventRecords, [])].map(({ key }) => key[0])).not.toContain(1);
  expect(rig.call(act(bob, 'tell', 'still'))).toBeDefined();
  rig.settle();
  expect(heard).toEqual(['still']);
});
