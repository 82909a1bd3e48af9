/** Records that cannot be decoded become dead letters with their bytes and place; everything else continues. */
import { beforeEach, describe, expect, test } from 'vitest';
import { pack } from '../../src/runtime/codec.ts';
import { lettersOf } from '../../src/runtime/letters.ts';
import { digestOfFrame } from '../../src/runtime/partition/frame-record.ts';
import { decodeMessage } from '../../src/runtime/partition/undecodable.ts';
import type { Keyspace } from '../../src/runtime/storage/keyspace.ts';
import {
  cursorRecords,
  deadLetterRecords,
  deadLetters,
  effectRecords,
  eventRecords,
  inboxRecords,
  meta,
  metaRecords,
  outbox,
  timerRecords,
} from '../../src/runtime/storage/machine.ts';
import { alice, bob, listenersRig } from './support/listeners.ts';
import { act, Said } from './support/players.ts';
import { type Rig, type Seat, startOfTime } from './support/rig.ts';

/** Bytes that are no MessagePack, and some that are, and no message. */
const damaged = Uint8Array.of(0xdf, 0xff, 0xff);
const odd = Uint8Array.from(pack({ what: 'something else' }));
const good = pack([200, alice, 2, { script: 'listen', argument: 'good' }, 'system']);

let rig: Rig;
let seat: Seat;
let heard: unknown[];

beforeEach(() => {
  ({ rig, heard } = listenersRig());
  seat = rig.seats[1]!;
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

test.each([
  ['none', undefined, true],
  ['a caller', [1, 2, 3], true],
  ['a caller who learns what is invalidated', [1, 2, 3, true], true],
  ['a caller without a number', [1, 2, '3'], false],
  ['a caller and a word', [1, 2, 3, 'yes'], false],
  ['a caller and more', [1, 2, 3, true, 4], false],
])('who waits for the reply to a message: %s', (_what, replyTo, isGood) => {
  const decoded = () => decodeMessage(pack([200, alice, 2, {}, 'system', replyTo]));
  if (isGood) expect(decoded()[5] ?? undefined).toEqual(replyTo);
  else expect(decoded).toThrow('it is not a message');
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

test.each([
  ['its messages', (record: Uint8Array) => Uint8Array.of(...record.subarray(0, 19), ...damaged)],
  ['all of it', () => damaged],
])('a frame that waits on the disk, %s: those behind it follow', (_what, damage) => {
  const sender = rig.seats[0]!;
  for (const argument of ['first', 'second', 'third']) {
    rig.call(act(bob, 'tell alice', argument));
    sender.settle();
  }
  sender.frames.length = 0;
  const bytes = damage(sender.disk.get(outbox, [1, 2])!);
  sender.store.apply({ keys: [outbox.encode([1, 2])], values: [bytes] });
  sender.restart();
  rig.settle();
  rig.call(act(bob, 'tell alice', 'fourth'));
  rig.settle();
  expect([heard, letters()]).toEqual([['first', 'third', 'fourth'], [['frame 2 of partition 0', bytes]]]);
  expect([sender, seat].map(({ partition }) => partition.load.frozenChannels)).toEqual([0, 0]);
  seat.restart();
  rig.settle();
  expect(letters()).toHaveLength(1);
});

test('a record of the event log is forgotten like one that is old', () => {
  rig.call(act(alice, 'say'));
  rig.settle();
  store(eventRecords, [1], damaged);
  seat.restart();
  for (let count = 0; count < 3; count += 1) rig.call(act(alice, 'say'));
  rig.settle();
  expect([...seat.disk.range(eventRecords, [])].map(({ key }) => key[0])).not.toContain(1);
  expect(rig.call(act(bob, 'tell alice', 'still'))).toBeDefined();
  rig.settle();
  expect(heard).toEqual(['still']);
});

describe('an effect', () => {
  const asked = pack({ effect: 1, request: 'good', kind: 200, key: alice, message: 2, flow: 'system' });

  function storeSequence(effectSequence: number): void {
    store(metaRecords, [0], meta.value.encode({ ...seat.disk.get(meta, [0])!, effectSequence }));
  }

  beforeEach(() => {
    rig.call(act(alice, 'say'));
    rig.settle();
  });

  test('of an earlier run', () => {
    for (const [index, bytes] of [damaged, asked, odd].entries()) store(effectRecords, [index + 1], bytes);
    storeSequence(3);
    seat.restart();
    rig.settle();
    expect(seat.effects.map(({ sequence, request }) => [sequence, request])).toEqual([[2, 'good']]);
    expect(letters()).toEqual([
      ['effect 1', damaged],
      ['effect 3', odd],
    ]);
    expect([...seat.disk.range(effectRecords, [])].map(({ key }) => key)).toEqual([[2]]);
  });

  test('that is damaged while it runs', () => {
    store(effectRecords, [1], asked);
    storeSequence(1);
    seat.restart();
    rig.settle();
    store(effectRecords, [1], damaged);
    // With the next commit the partition sees it.
    rig.call(act(alice, 'say'));
    rig.settle();
    seat.partition.effectAnswered(1, { script: 'listen', argument: 'answer' });
    rig.settle();
    expect([heard, letters()]).toEqual([[], [['effect 1', damaged]]]);
  });
});

test.each([
  ['damaged', damaged],
  ['odd', odd],
])('what was taken of another partition: that channel stands still (%s), and all else goes on', (_what, bytes) => {
  rig.call(act(bob, 'tell alice', 'first'));
  rig.settle();
  store(cursorRecords, [0], bytes);
  seat.restart();
  rig.call(act(bob, 'tell alice', 'second'));
  rig.call(act(alice, 'tell alice', 'here'));
  rig.settle();
  expect(heard).toEqual(['first', 'here']);
  expect(seat.problems.map(({ message }) => message)).toEqual([
    'Partition 1 cannot read what it has taken of partition 0. Messages from there stand still and none is lost. Stop the server and restore the whole data folder from one backup, made while the server was stopped.',
  ]);
});

describe('a dead letter that cannot be decoded', () => {
  beforeEach(() => {
    store(deadLetterRecords, [1], damaged);
    store(deadLetterRecords, [2], Uint8Array.from(pack({ at: 5, message: good, error: 'it fell' })));
    const sound = pack({
      at: 5,
      message: [200, alice, 2, { script: 'listen', argument: 'good' }, 'system'],
      error: 'it fell',
    });
    store(deadLetterRecords, [3], Uint8Array.from(sound));
    seat.restart();
    rig.settle();
  });

  test('is listed among the others, with its bytes', () => {
    const listed = [...lettersOf(seat.disk)].map(({ sequence, error, message }) => [sequence, error, message[3]]);
    const [, , own] = listed[2]!;
    expect(listed[0]).toEqual([3, 'it fell', { script: 'listen', argument: 'good' }]);
    expect(listed[2]).toEqual([1, expect.stringMatching(/^it cannot be decoded: /), own]);
    expect(Uint8Array.from(own as Uint8Array)).toEqual(damaged);
  });

  test('stays when it is sent again, and goes when it is dropped', () => {
    rig.orderLetters(1, { what: 'retry', sequences: [1, 3] });
    rig.settle();
    expect(heard).toEqual(['good']);
    expect([...lettersOf(seat.disk)].map(({ sequence }) => sequence)).toEqual([2, 1]);
    rig.orderLetters(1, { what: 'drop', sequences: [1] });
    rig.settle();
    expect([...lettersOf(seat.disk)].map(({ sequence }) => sequence)).toEqual([2]);
  });
});
