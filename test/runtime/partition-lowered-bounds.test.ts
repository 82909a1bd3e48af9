/** Bounds that tests can only reach when they are lowered. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { digestOfFrame } from '../../src/runtime/partition/frame-record.ts';
import type { Frame } from '../../src/runtime/ports.ts';
import { StorageFailure } from '../../src/runtime/storage/log.ts';
import { cursors, eventRecords, inbox, outbox } from '../../src/runtime/storage/machine.ts';
import { act, hear, notes, playerOf, Said } from './support/players.ts';
import { Rig, type Seat } from './support/rig.ts';

const lowered = vi.hoisted(() => ({
  sliceTurnsMax: 8,
  messagesPerRound: 4,
  localRunsMax: 20,
  frameMessagesMax: 10,
  waitingFramesMax: 8,
  underWayBytesMax: 1_000_000,
  outboxFramesMax: 12,
  outboxBytesMax: 3_000_000,
  frameBytesMax: 400_000,
  inboxMessagesMax: 40,
  inboxBytesMax: 100_000,
  eventCommitsMax: 5,
  eventBytesMax: 10_000,
  eventSweepPerCommit: 2,
}));

vi.mock('../../src/runtime/limits.ts', async (original) => {
  const limits = await original<typeof import('../../src/runtime/limits.ts')>();
  return { ...limits, partitionLimits: { ...limits.partitionLimits, ...lowered } };
});

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);
const carol = playerOf(1, 2, 1);

let rig: Rig;
let sender: Seat;
let receiver: Seat;
/** What bob heard, in order, and how long the inbox was at most while he did. */
let heard: number[];
let inboxLengthMax: number;

beforeEach(() => {
  rig = new Rig(2);
  [sender, receiver] = rig.seats as [Seat, Seat];
  heard = [];
  inboxLengthMax = 0;
  rig.scripts.define('tell', (turn, argument) => {
    const { from, count, size } = argument as { from: number; count: number; size: number };
    for (let number = from; number < from + count; number += 1)
      turn.tell(hear(bob, 'listen', { number, text: 'x'.repeat(size) }));
  });
  rig.scripts.define('listen', (_turn, argument) => {
    heard.push((argument as { number: number }).number);
    inboxLengthMax = Math.max(inboxLengthMax, [...receiver.partition.reader.range(inbox, [])].length);
  });
  rig.scripts.define('look', () => heard.length);
});

function tell(teller: bigint, from: number, count: number, size = 0): number {
  return rig.call(act(teller, 'tell', { from, count, size }));
}

function numbers(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

/** Frames of the outbox as they would be sent again. */
function storedFrames(): Frame[] {
  return [...sender.disk.range(outbox, [1])].map(({ key: [, sequence], value: bytes }) => ({
    source: 0,
    destination: 1,
    sequence,
    bytes,
    digest: digestOfFrame(bytes),
    recovered: false,
    acknowledged: 0,
  }));
}

/** What carol tells bob: more than fits into the inbox, so that nothing of it runs at once. */
describe.each([
  ['messages', 80, 0, 80],
  ['bytes', 45, 12_000, 45],
])('while the inbox has too many %s', (_what, count, size, kept) => {
  test('frames wait, and go on when there is room, in order', () => {
    tell(alice, 1_000, 8 * lowered.frameMessagesMax, size);
    sender.settle();
    tell(carol, 0, count, size);
    rig.deliver();
    rig.settle();
    expect(heard.filter((number) => number < 1_000)).toEqual(numbers(0, count));
    expect(heard.filter((number) => number >= 1_000)).toEqual(numbers(1_000, 80));
    expect(inboxLengthMax).toBeGreaterThan(kept / 2);
    expect(inboxLengthMax).toBeLessThanOrEqual(kept);
    expect(receiver.disk.get(cursors, [0])?.sequence).toBe(8);
    expect(rig.seats.every(({ partition }) => partition.isSettled)).toBe(true);
  });

  test('also when an earlier run has filled it', () => {
    tell(alice, 1_000, 8 * lowered.frameMessagesMax, size);
    sender.settle();
    tell(carol, 0, count, size);
    receiver.run();
    receiver.log.complete();
    receiver.restart();
    // The batch that filled it takes no further turn.
    const left = kept;
    expect([...receiver.disk.range(inbox, [])]).toHaveLength(left);
    heard = [];
    inboxLengthMax = 0;
    rig.deliver();
    rig.settle();
    expect(heard.filter((number) => number < 1_000)).toEqual(numbers(count - left, left));
    expect(heard.filter((number) => number >= 1_000)).toEqual(numbers(1_000, 80));
    expect(inboxLengthMax).toBeLessThanOrEqual(kept);
  });
});

test('a frame that was taken before is acknowledged again while the inbox is full', () => {
  tell(alice, 1_000, 1);
  rig.settle();
  const [frame] = storedFrames();
  rig.scripts.define('listen', () => {
    if (receiver.acknowledgements.length === 0) receiver.partition.receive(frame!);
  });
  tell(carol, 0, 100);
  receiver.run();
  expect(receiver.acknowledgements).toMatchObject([{ source: 0, destination: 1, sequence: 1 }]);
});

test('partitions whose inboxes are full and that send to each other come to rest', () => {
  const dave = playerOf(0, 2, 1);
  rig.scripts.define('echo', (turn, left) => {
    if ((left as number) > 0) turn.tell(hear(turn.self.key === bob ? dave : bob, 'echo', (left as number) - 1));
    heard.push(left as number);
  });
  rig.scripts.define('start', (turn, argument) => {
    for (let count = 0; count < 150; count += 1) turn.tell(hear(argument as bigint, 'echo', 10));
  });
  // From within and from outside at once.
  for (const [teller, to] of [
    [alice, dave],
    [alice, bob],
    [carol, bob],
    [carol, dave],
  ] as const)
    rig.call(act(teller, 'start', to));
  rig.settle();
  expect(heard).toHaveLength(4 * 150 * 11);
});

test('a full inbox of which nothing can be read waits with the frames behind it, and does not go in a circle', () => {
  let isBroken = true;
  rig.scripts.define('listen', (_turn, argument) => {
    if (isBroken) throw new StorageFailure(new Error('EIO'));
    heard.push((argument as { number: number }).number);
  });
  for (const from of [1, 21, 41, 61]) tell(alice, from, 20);
  rig.settle();
  isBroken = false;
  rig.pass(10_000);
  rig.settle();
  expect(heard).toEqual(numbers(1, 80));
});

test('calls are refused while what a partition told itself is far above the bound, and served again afterwards', () => {
  const calls = numbers(0, 6).map((number) => tell(carol, number * 100, 100));
  receiver.settle();
  const later = rig.call(act(carol, 'look'));
  receiver.settle();
  // A commit takes what one call tells; with what the second tells the inbox is far above its bound.
  expect(calls.map((call) => rig.refusalOf(call))).toEqual([
    ...[undefined, undefined],
    ...numbers(0, 4).map(() => 'overloaded'),
  ]);
  expect(heard).toEqual(numbers(0, 200));
  expect(rig.valueOf(later)).toBe(200);
});

describe('a receiver that takes nothing', () => {
  /** One commit and one frame each. */
  function tellOneByOne(count: number, size = 0): number[] {
    return numbers(0, count).map((number) => {
      const call = tell(alice, number, 1, size);
      sender.settle();
      return call;
    });
  }

  test('gets so many frames, the rest waits on disk, and it all comes in order later', () => {
    tellOneByOne(lowered.outboxFramesMax);
    expect(sender.frames.map(({ sequence }) => sequence)).toEqual(numbers(1, lowered.waitingFramesMax));
    const sent: Frame[] = [];
    for (let round = 0; round < 20; round += 1) {
      sent.push(...sender.frames);
      rig.deliver();
      receiver.settle();
    }
    expect(heard).toEqual(numbers(0, lowered.outboxFramesMax));
    expect(sent.map(({ sequence }) => sequence)).toEqual(numbers(1, lowered.outboxFramesMax));
    expect(sent.some(({ recovered }) => recovered)).toBe(false);
  });

  test('gets no further frame once those under way have so many bytes', () => {
    tellOneByOne(8, 300_000);
    expect(sender.frames).toHaveLength(4);
    rig.settle();
    expect(heard).toEqual(numbers(0, 8));
  });

  test('makes the sender refuse calls when the outbox is too long, until it takes', () => {
    const calls = tellOneByOne(lowered.outboxFramesMax + 3);
    const refused = calls.filter((call) => rig.refusalOf(call) === 'overloaded');
    expect(refused).toEqual(calls.slice(-2));
    sender.restart();
    const again = tell(alice, 100, 1);
    sender.settle();
    expect(rig.refusalOf(again)).toBe('overloaded');
    rig.pass(2_000);
    rig.settle();
    tell(alice, 200, 1);
    rig.settle();
    expect(heard).toEqual([...numbers(0, lowered.outboxFramesMax + 1), 200]);
  });

  test.each([
    ['frames', lowered.outboxFramesMax + 1, 0],
    ['bytes', 10, 300_000],
  ])('and has too many %s to come makes only those calls fail that would tell it more', (_, count, size) => {
    rig = new Rig(3);
    rig.scripts.define('listen', () => undefined);
    const near = playerOf(0, 3);
    const [slow, well] = [playerOf(2, 3), playerOf(1, 3)];
    rig.scripts.define('tell', (turn, argument) => {
      const { to, text } = argument as { to: bigint; text: string };
      turn.put(notes, [near, 0], text.slice(0, 4));
      turn.tell(hear(to, 'listen', { number: 1, text }));
      return 'told';
    });
    const seat = rig.seats[0]!;
    const outcomeOf = (to: bigint, text: string) => {
      const call = rig.call(act(near, 'tell', { to, text }));
      seat.settle();
      return rig.refusalOf(call) ?? rig.valueOf(call);
    };
    const filled = numbers(0, count).map(() => outcomeOf(slow, 'x'.repeat(size)));
    expect(new Set(filled)).toEqual(new Set(['told']));
    expect([outcomeOf(slow, 'late'), outcomeOf(well, 'well'), outcomeOf(near, 'near')]).toEqual([
      'overloaded',
      'told',
      'told',
    ]);
    // What is durable is never refused, and a refused call leaves no trace.
    expect(seat.disk.get(notes, [near, 0])).toBe('near');
    rig.pass(2_000);
    rig.settle();
    expect(outcomeOf(slow, 'again')).toBe('told');
    seat.restart();
    expect(outcomeOf(slow, 'anew')).toBe('told');
  });

  test('gets frames of so many bytes', () => {
    tell(alice, 0, 9, 150_000);
    sender.settle();
    expect(sender.frames.map(({ bytes }) => Math.round(bytes.byteLength / 150_000))).toEqual([2, 2, 2, 2]);
    rig.settle();
    expect(heard).toEqual(numbers(0, 9));
  });

  test('leaves the others one frame each, however much it has under way', () => {
    rig = new Rig(4);
    rig.scripts.define('listen', (_turn, argument) => heard.push((argument as { number: number }).number));
    rig.scripts.define('tell', (turn, to) => {
      for (let part = 0; part < 4; part += 1)
        turn.tell(hear(to as bigint, 'listen', { number: part, text: 'x'.repeat(300_000) }));
    });
    for (const partition of [1, 2, 3]) rig.call(act(playerOf(0, 4), 'tell', playerOf(partition, 4)));
    rig.seats[0]!.settle();
    expect(rig.seats[0]!.frames.map(({ destination }) => destination)).toEqual([1, 1, 1, 1, 2, 3]);
    rig.settle();
    expect(heard).toHaveLength(12);
  });

  test('gets what an earlier run left as such, and what is new as new', () => {
    tellOneByOne(10);
    sender.frames.length = 0;
    sender.restart();
    tell(alice, 10, 1);
    sender.settle();
    const sent: Frame[] = [];
    for (let round = 0; round < 20; round += 1) {
      sent.push(...sender.frames);
      rig.deliver();
      receiver.settle();
    }
    expect(sent.map(({ sequence, recovered }) => [sequence, recovered])).toEqual(
      numbers(1, 11).map((sequence) => [sequence, sequence <= 10]),
    );
    expect(heard).toEqual(numbers(0, 11));
  });

  test('and takes again when its sender has closed gets nothing more until that is back', async () => {
    tellOneByOne(lowered.outboxFramesMax);
    const closed = sender.partition.close();
    sender.settle();
    await closed;
    rig.deliver();
    receiver.settle();
    expect(() => rig.deliver()).not.toThrow();
    expect(sender.frames).toEqual([]);
    sender.restart();
    rig.pass(2_000);
    rig.settle();
    expect(heard).toEqual(numbers(0, lowered.outboxFramesMax));
  });

  test('and knows more than its sender after a restart of that: the sender goes on behind it', () => {
    tellOneByOne(lowered.outboxFramesMax);
    const frames = storedFrames();
    sender.restart();
    sender.frames.length = 0;
    sender.partition.acknowledged({ source: 0, destination: 1, sequence: 10, digest: frames[9]!.digest });
    expect(sender.frames.map(({ sequence }) => sequence)).toEqual([11, 12]);
    expect(frames).toHaveLength(12);
  });
});

test('a receiver holds so many frames of a source unread, whoever sends more', () => {
  tell(alice, 0, 12 * lowered.frameMessagesMax);
  sender.settle();
  for (const frame of storedFrames()) receiver.partition.receive(frame);
  receiver.settle();
  expect(receiver.acknowledgements.at(-1)?.sequence).toBe(lowered.waitingFramesMax);
  expect(heard).toEqual(numbers(0, lowered.waitingFramesMax * lowered.frameMessagesMax));
});

describe('the event log keeps', () => {
  beforeEach(() => {
    rig.scripts.define('say', (turn, size) => turn.emit(Said, { what: 'x'.repeat(size as number) }));
    rig.scripts.define('write', (turn) => turn.put(notes, [turn.self.key, 1], 'x'));
  });

  const kept = () => [...receiver.disk.range(eventRecords, [])];
  const keptBytes = () => kept().reduce((sum, { value }) => sum + value.byteLength, 0);

  function say(size: number): void {
    rig.call(act(bob, 'say', size));
    receiver.settle();
  }

  test('so many commits', () => {
    for (let commit = 0; commit < 9; commit += 1) say(1);
    expect(kept().map(({ key }) => key[0])).toEqual(numbers(4, 6));
    rig.call(act(bob, 'write'));
    receiver.settle();
    expect(kept().map(({ key }) => key[0])).toEqual(numbers(5, 5));
  });

  test('so many bytes, over restarts and appends that are lost', () => {
    for (let commit = 0; commit < 12; commit += 1) {
      say(3_500);
      if (commit % 3 === 1) receiver.restart();
      if (commit % 4 === 2) {
        rig.call(act(bob, 'say', 3_500));
        receiver.run();
        receiver.lose(0);
        receiver.settle();
      }
      expect(keptBytes()).toBeLessThanOrEqual(lowered.eventBytesMax);
    }
    expect(kept()).toHaveLength(2);
  });

  test('not more bytes because the oldest records are small', () => {
    for (let commit = 0; commit < 5; commit += 1) say(100);
    say(9_900);
    expect(keptBytes()).toBeLessThanOrEqual(lowered.eventBytesMax);
    expect(kept().map(({ key }) => key[0])).toContain(6);
  });
});
