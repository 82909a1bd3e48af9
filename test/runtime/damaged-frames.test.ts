/**
 * The newest frame of a channel is damaged on its sender's disk. That is not taken for a partition that was restored
 * from an older copy: the channel goes on, whether the frame was taken before or not.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { lettersOf } from '../../src/runtime/letters.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { checkServer } from '../../src/runtime/storage/check-server.ts';
import { outbox } from '../../src/runtime/storage/machine.ts';
import { act, hear, playerKeyspaces, playerOf } from './support/players.ts';
import { Rig, type Seat } from './support/rig.ts';

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);

let rig: Rig;
let sender: Seat;
let receiver: Seat;
let heard: unknown[];

beforeEach(() => {
  rig = new Rig(2);
  [sender, receiver] = rig.seats as [Seat, Seat];
  heard = [];
  rig.scripts.define('listen', (_turn, text) => void heard.push(text));
  rig.scripts.define('tell', (turn, text) => turn.tell(hear(bob, 'listen', text)));
});

const garbage = Uint8Array.of(0xdf, 0xff, 0xff);
const damages: [string, (record: Uint8Array) => Uint8Array][] = [
  ['all of it', () => garbage],
  ['all but its first byte', (record) => Uint8Array.of(record[0]!, ...new Uint8Array(40).fill(0xdf))],
  ['its messages', (record) => Uint8Array.of(...record.subarray(0, 19), ...garbage)],
  ['its end', (record) => record.subarray(0, 12)],
];

/** Sends without carrying anything over. */
function send(...texts: string[]): void {
  for (const text of texts) {
    rig.call(act(alice, 'tell', text));
    sender.settle();
  }
}

function tell(...texts: string[]): void {
  send(...texts);
  rig.settle();
}

function damage(sequence: number, change: (record: Uint8Array) => Uint8Array): void {
  const bytes = Uint8Array.from(change(sender.disk.get(outbox, [1, sequence])!));
  sender.store.apply({ keys: [outbox.encode([1, sequence])], values: [bytes] });
}

const reported = () => rig.seats.flatMap(({ problems }) => problems.map(({ message }) => message));
const frozen = () => rig.seats.map(({ partition }) => partition.load.frozenChannels);

describe.each(damages)('%s', (_what, change) => {
  describe('of a frame that was taken', () => {
    const sentence = 'frame 2 of partition 0 was taken, and is damaged in the outbox there: nothing of it is needed';

    beforeEach(() => {
      tell('a', 'b');
      damage(2, change);
    });

    test.each<[string, () => void]>([
      ['the sender starts', () => sender.restart()],
      [
        'both start',
        () => {
          sender.restart();
          receiver.restart();
        },
      ],
    ])('%s: it is reported, and the channel goes on', (_who, restart) => {
      restart();
      rig.settle();
      tell('c', 'd');
      expect([heard, frozen(), reported()]).toEqual([['a', 'b', 'c', 'd'], [0, 0], [sentence]]);
      for (const seat of rig.seats) seat.restart();
      tell('e');
      expect([heard, frozen()]).toEqual([
        ['a', 'b', 'c', 'd', 'e'],
        [0, 0],
      ]);
    });

    test('more was sent before anything arrived, and the first frames are lost', () => {
      sender.restart();
      send('c', 'd', 'e');
      sender.frames.length = 0;
      for (let second = 0; second < 60; second += 1) {
        rig.pass(1_000);
        rig.settle();
      }
      expect([heard, frozen(), reported()]).toEqual([['a', 'b', 'c', 'd', 'e'], [0, 0], [sentence]]);
    });

    test('more was sent before anything arrived, and the last arrives first', () => {
      sender.restart();
      send('c', 'd', 'e');
      for (const frame of sender.frames.splice(0).reverse()) receiver.partition.receive(frame);
      for (let second = 0; second < 60; second += 1) {
        rig.pass(1_000);
        rig.settle();
      }
      expect([heard, frozen(), reported()]).toEqual([['a', 'b', 'c', 'd', 'e'], [0, 0], [sentence]]);
    });

    test('the receiver starts again before it has taken more', () => {
      sender.restart();
      rig.settle();
      receiver.restart();
      tell('c');
      expect([heard, frozen()]).toEqual([
        ['a', 'b', 'c'],
        [0, 0],
      ]);
    });
  });

  test('of any frame: "murmuration check" names it', () => {
    tell('a', 'b');
    const wrong = () =>
      checkServer({
        placement: evenPlacement(2),
        readers: rig.seats.map(({ store }) => store),
        keyspaces: playerKeyspaces,
        rules: [],
      }).partitions.flatMap(({ problems }) => problems);
    expect(wrong()).toEqual([]);
    damage(2, change);
    expect(wrong()).toEqual(['The entry 1, 2 of outbox holds messages that cannot be decoded.']);
  });

  test('of a frame that was not taken: it is a letter, and the channel goes on', () => {
    tell('a');
    send('b');
    sender.frames.length = 0;
    damage(2, change);
    sender.restart();
    send('c');
    rig.settle();
    tell('d');
    expect([heard, frozen()]).toEqual([
      ['a', 'c', 'd'],
      [0, 0],
    ]);
    const letters = [...lettersOf(receiver.disk)].map(({ message }) => message[1]);
    expect([letters, reported().length]).toEqual([['frame 2 of partition 0'], 1]);
  });

  test('of the frame behind the last one that was taken', () => {
    tell('a');
    send('b');
    sender.frames.length = 0;
    damage(2, change);
    for (const seat of rig.seats) seat.restart();
    rig.settle();
    tell('c');
    expect([heard, frozen()]).toEqual([
      ['a', 'c'],
      [0, 0],
    ]);
  });
});

describe('a frame that is missing in the outbox', () => {
  const sentence = (sequence: number) =>
    `Partition 0 has no frame ${sequence} to partition 1 in its outbox. Messages to that one stand still. Stop the server and restore the whole data folder from one backup, made while the server was stopped.`;

  function expectStandstill(sequence: number, taken: readonly string[]): void {
    rig.scripts.define('tell alice', (turn, text) => turn.tell(hear(alice, 'listen', text)));
    for (let starts = 0; starts < 2; starts += 1) {
      for (const seat of rig.seats) seat.restart();
      rig.settle();
      tell('waits');
      rig.call(act(bob, 'tell alice', 'the other way'));
      rig.settle();
    }
    expect([heard, frozen()]).toEqual([
      [...taken, 'the other way', 'the other way'],
      [1, 0],
    ]);
    expect(reported()).toEqual([sentence(sequence), sentence(sequence)]);
  }

  test('between two others: the channel stands still, and nothing else does', () => {
    send('a', 'b', 'c');
    sender.frames.length = 0;
    sender.store.apply({ keys: [outbox.encode([1, 2])], values: [undefined] });
    expectStandstill(2, ['a']);
  });

  test('before one whose number is damaged', () => {
    tell('a');
    send('b');
    sender.frames.length = 0;
    sender.store.apply({ keys: [outbox.encode([1, 2 ** 40])], values: [sender.disk.get(outbox, [1, 2])!] });
    expectStandstill(3, ['a', 'b']);
  });
});
