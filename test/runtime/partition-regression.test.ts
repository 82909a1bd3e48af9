/**
 * Partitions restored from an older copy than the others: reported with instructions, the channel frozen, no message
 * lost unnoticed.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { partitionLimits } from '../../src/runtime/limits.ts';
import { digestOfFrame } from '../../src/runtime/partition/frame-record.ts';
import { cursors, outbox } from '../../src/runtime/storage/machine.ts';
import { act, hear, notes, playerOf } from './support/players.ts';
import { Rig, type Seat } from './support/rig.ts';

const alice = playerOf(0, 3);
const bob = playerOf(1, 3);
const carol = playerOf(2, 3);

let rig: Rig;
let sender: Seat;
let receiver: Seat;
let bystander: Seat;

beforeEach(() => {
  rig = new Rig(3);
  [sender, receiver, bystander] = rig.seats as [Seat, Seat, Seat];
  rig.scripts.define('tell', (turn, text) => turn.tell(hear(bob, 'note', text)));
  rig.scripts.define('tell carol', (turn, text) => turn.tell(hear(carol, 'note', text)));
  rig.scripts.define('note', (turn, text) => {
    turn.put(notes, [turn.self.key, 0], `${turn.get(notes, [turn.self.key, 0]) ?? ''}${text}`);
  });
});

const heard = (seat: Seat, player: bigint) => seat.disk.get(notes, [player, 0]);
const reported = () => rig.seats.flatMap(({ problems }) => problems.map(({ message }) => message));

function tell(...texts: string[]): void {
  for (const text of texts) {
    rig.call(act(alice, 'tell', text));
    rig.settle();
  }
}

/** The server stops, this seat's disk is replaced by its copy, and some time later all start again. */
function restore(seat: Seat, copy: ReadonlyMap<string, Uint8Array>): void {
  seat.store.restore(copy);
  rig.elapse(60_000);
  for (const { frames, acknowledgements } of rig.seats) frames.length = acknowledgements.length = 0;
  for (const each of rig.seats) each.restart();
}

function waitAnHour(): void {
  for (let minute = 0; minute < 60; minute += 1) {
    rig.pass(60_000);
    rig.settle();
  }
}

describe('a sender that was restored from an older copy', () => {
  const sentence = /^Partition 0 is older than partition 1: .* restore the whole data folder from one backup/;
  let copy: ReadonlyMap<string, Uint8Array>;

  beforeEach(() => {
    tell('a');
    copy = sender.store.copy();
    tell('b', 'c', 'd');
  });

  test('is known as soon as it starts', () => {
    restore(sender, copy);
    rig.settle();
    expect(reported()).toEqual([expect.stringMatching(sentence)]);
  });

  test.each([
    ['fewer messages than the receiver has taken since', ['x', 'y']],
    ['as many messages', ['x', 'y', 'z']],
    ['more messages', ['x', 'y', 'z', 'w', 'v']],
    ['the same messages again', ['b', 'c', 'd']],
    ['the same messages again, and one more', ['b', 'c', 'd', 'e']],
  ])('and has sent %s before it heard anything: none is swallowed', (_, texts) => {
    restore(sender, copy);
    for (const text of texts) rig.call(act(alice, 'tell', text));
    for (const text of texts) {
      rig.call(act(alice, 'tell', text));
      sender.settle();
    }
    const kept = [...sender.disk.range(outbox, [1])].length;
    rig.settle();
    waitAnHour();
    expect(reported()).toContainEqual(expect.stringMatching(sentence));
    expect(heard(receiver, bob)).toBe('abcd');
    expect([...sender.disk.range(outbox, [1])].length).toBeGreaterThanOrEqual(kept);
  });

  test('whose first frames were lost is known by one that does not follow what was taken', () => {
    restore(sender, copy);
    sender.frames.length = 0;
    for (const text of ['x', 'y', 'z', 'w']) {
      rig.call(act(alice, 'tell', text));
      sender.settle();
    }
    // The receiver has taken four frames, and waits for the fifth.
    receiver.partition.receive(sender.frames.find(({ sequence }) => sequence === 5)!);
    receiver.settle();
    expect(receiver.problems.map(({ message }) => message)).toEqual([expect.stringMatching(sentence)]);
    expect([heard(receiver, bob), receiver.acknowledgements]).toEqual(['abcd', []]);
  });

  test('goes on with others that have seen nothing of what it lost', () => {
    restore(sender, copy);
    rig.settle();
    rig.call(act(alice, 'tell carol', 'hello'));
    rig.settle();
    expect(heard(bystander, carol)).toBe('hello');
  });

  test('is reported once, and sends nothing over the channel', () => {
    restore(sender, copy);
    rig.settle();
    tell('x', 'y');
    waitAnHour();
    expect(reported()).toHaveLength(1);
    expect(sender.frames).toEqual([]);
    expect([sender, receiver, bystander].map(({ partition }) => partition.load.frozenChannels)).toEqual([1, 0, 0]);
    expect(sender.wakeAt ?? 0).toBeLessThanOrEqual(rig.monotonic);
  });

  test('with an empty disk is known as well', () => {
    restore(sender, new Map());
    tell('x');
    expect(reported()).toEqual([expect.stringMatching(sentence)]);
    expect(heard(receiver, bob)).toBe('abcd');
  });
});

describe('a receiver that was restored from an older copy', () => {
  const sentence = /^Partition 1 is older than partition 0: .* restore the whole data folder from one backup/;

  test.each([
    ['when the sender starts with it', 'all'],
    ['with the next frame when the sender went on', 'receiver'],
  ])('is known %s', (_, restarted) => {
    tell('a');
    const copy = receiver.store.copy();
    tell('b', 'c', 'd', 'e');
    if (restarted === 'all') restore(receiver, copy);
    else {
      receiver.store.restore(copy);
      receiver.restart();
      tell('f');
    }
    rig.settle();
    waitAnHour();
    expect(reported()).toEqual([expect.stringMatching(sentence)]);
    expect(heard(receiver, bob)).toBe('a');
    const [last] = [...sender.disk.range(outbox, [1], { reverse: true, limit: 1 })];
    expect(last!.key[1]).toBe(restarted === 'all' ? 5 : 6);
  });

  test('to a moment from which everything is still in the outbox goes on from there', () => {
    const copy = receiver.store.copy();
    tell('a');
    restore(receiver, copy);
    rig.settle();
    expect([reported(), heard(receiver, bob)]).toEqual([[], 'a']);
  });
});

test('what an earlier version left is taken as it is, and the chain begins with the next frame', () => {
  tell('a', 'b');
  // Frames without a header, and a cursor as the migration makes it of a number.
  const copy = new Map(receiver.store.copy());
  const earlier = cursors.value.encode({ sequence: 1, epoch: 0, digest: undefined });
  for (const key of copy.keys()) if (key.charCodeAt(2) === cursors.number) copy.set(key, earlier);
  const [{ value: record } = { value: new Uint8Array() }] = sender.disk.range(outbox, [1], { reverse: true });
  const before = new Map(sender.store.copy());
  for (const key of before.keys()) if (key.charCodeAt(2) === outbox.number) before.set(key, record.slice(19));
  sender.store.restore(before);
  restore(receiver, copy);
  rig.settle();
  tell('c');
  rig.settle();
  expect(reported()).toEqual([]);
  expect(heard(receiver, bob)).toBe('abbc');
  expect(receiver.disk.get(cursors, [0])).toMatchObject({ sequence: 3, epoch: rig.epoch - 2 });
});

test('the digest of a frame is that of all its bytes', () => {
  const one = Uint8Array.from({ length: 2_000 }, (_, index) => index);
  const other = Uint8Array.from(one);
  other[1_999]! ^= 1;
  expect(digestOfFrame(one)).not.toBe(digestOfFrame(other));
  expect(Number.isSafeInteger(digestOfFrame(one))).toBe(true);
});

test('restoring the whole folder brings everything back, and nothing is reported', () => {
  tell('a');
  const copies = rig.seats.map(({ store }) => store.copy());
  tell('b', 'c');
  for (const [number, seat] of rig.seats.entries()) seat.store.restore(copies[number]!);
  rig.elapse(partitionLimits.resendAfterMillisecondsMax);
  for (const seat of rig.seats) seat.restart();
  tell('x');
  expect([reported(), heard(receiver, bob)]).toEqual([[], 'ax']);
});
