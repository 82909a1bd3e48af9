/** Messages between partitions and within one: in order, exactly once, whatever is lost, repeated or late. */
import { beforeEach, describe, expect, test } from 'vitest';
import { partitionLimits } from '../../src/runtime/limits.ts';
import type { Frame } from '../../src/runtime/ports.ts';
import { cursors, inbox, outbox } from '../../src/runtime/storage/machine.ts';
import { act, hear, notes, playerOf } from './support/players.ts';
import { Rig, type Seat } from './support/rig.ts';

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);

let rig: Rig;
let sender: Seat;
let receiver: Seat;

beforeEach(() => {
  rig = new Rig(2);
  [sender, receiver] = rig.seats as [Seat, Seat];
  rig.scripts.define('tell', (turn, argument) => {
    for (const text of argument as string[]) turn.tell(hear(bob, 'note', text));
  });
  rig.scripts.define('note', (turn, text) => {
    const heard = turn.get(notes, [turn.self.key, 0]) ?? '';
    turn.put(notes, [turn.self.key, 0], `${heard}${text}`);
  });
});

function heard(): string | undefined {
  return receiver.disk.get(notes, [bob, 0]);
}

/** One commit of the sender per text, so that each makes a frame; the frames are kept back. */
function framesWith(...texts: string[]): Frame[] {
  for (const text of texts) {
    rig.call(act(alice, 'tell', [text]));
    sender.settle();
  }
  return sender.frames.splice(0);
}

describe('a frame', () => {
  test('leaves after the commit that holds its outbox record', () => {
    rig.call(act(alice, 'tell', ['a']));
    sender.run();
    expect(sender.frames).toEqual([]);
    sender.log.complete();
    expect(sender.frames.map(({ sequence }) => sequence)).toEqual([1]);
    expect(Buffer.compare(sender.disk.get(outbox, [1, 1])!, sender.frames[0]!.bytes)).toBe(0);
  });

  test('is acknowledged after the commit that took it', () => {
    const [frame] = framesWith('a');
    receiver.partition.receive(frame!);
    receiver.run();
    expect(receiver.acknowledgements).toEqual([]);
    receiver.log.complete();
    expect(receiver.acknowledgements).toEqual([{ source: 0, destination: 1, sequence: 1, digest: frame!.digest }]);
    expect(receiver.disk.get(cursors, [0])).toMatchObject({ sequence: 1, digest: frame!.digest });
    expect(heard()).toBe('a');
  });

  test('that comes twice takes effect once and is acknowledged again', () => {
    const [frame] = framesWith('a');
    receiver.partition.receive(frame!);
    receiver.partition.receive(frame!);
    receiver.settle();
    receiver.partition.receive(frame!);
    receiver.settle();
    expect(heard()).toBe('a');
    expect(receiver.acknowledgements.map(({ sequence }) => sequence)).toEqual([1, 1]);
  });

  test('that comes out of order waits for the one before it', () => {
    const [first, second, third] = framesWith('a', 'b', 'c');
    for (const frame of [third!, second!, first!, third!, second!, third!]) {
      receiver.partition.receive(frame);
      receiver.settle();
    }
    expect(heard()).toBe('abc');
  });

  test('that was lost is sent again, with all that followed it', () => {
    framesWith('a', 'b');
    rig.pass(partitionLimits.resendAfterMilliseconds);
    expect(sender.frames.map(({ sequence }) => sequence)).toEqual([1, 2]);
    rig.settle();
    expect(heard()).toBe('ab');
    expect(sender.partition.isSettled).toBe(true);
  });

  test('is sent again as often as it is lost, also when another owner came up in between', () => {
    framesWith('a');
    for (let loss = 0; loss < 3; loss += 1) {
      sender.partition.resend();
      expect(sender.frames.splice(0)).toHaveLength(1);
      rig.pass(partitionLimits.resendAfterMilliseconds);
      expect(sender.frames.splice(0)).toHaveLength(1);
      sender.run();
    }
    rig.pass(2 * partitionLimits.resendAfterMilliseconds);
    rig.settle();
    expect(heard()).toBe('a');
  });

  test('is not sent again by a partition that is closed: the one after it does that', async () => {
    framesWith('a');
    const closed = sender.partition.close();
    sender.settle();
    await closed;
    rig.pass(partitionLimits.resendAfterMilliseconds);
    sender.wake();
    expect(sender.frames).toEqual([]);
    sender.restart();
    rig.settle();
    expect(heard()).toBe('a');
  });

  test('is not sent again before its time, and not when it was acknowledged', () => {
    framesWith('a');
    rig.pass(partitionLimits.resendAfterMilliseconds - 1);
    sender.wake();
    expect(sender.frames).toEqual([]);
    sender.partition.acknowledged({ source: 0, destination: 1, sequence: 1, digest: undefined });
    rig.pass(partitionLimits.resendAfterMilliseconds * 5);
    sender.wake();
    expect(sender.frames).toEqual([]);
  });

  test.each([
    ['back', -3_600_000],
    ['ahead', 3_600_000],
  ])('is sent again in time, and not before, though the wall clock was set %s an hour', (_where, jump) => {
    framesWith('a');
    rig.now += jump;
    const sent = [partitionLimits.resendAfterMilliseconds - 1, 1].map((passed) => {
      rig.pass(passed);
      sender.wake();
      sender.settle();
      return sender.frames.length;
    });
    expect(sent).toEqual([0, 1]);
  });

  test('holds the messages of a commit, as many as fit, in order', () => {
    const texts = Array.from({ length: partitionLimits.frameMessagesMax + 10 }, (_, number) => `${number},`);
    rig.call(act(alice, 'tell', texts));
    sender.settle();
    expect(sender.frames).toHaveLength(2);
    rig.settle();
    expect(heard()).toBe(texts.join(''));
  });
});

describe('a restart', () => {
  test('of the sender sends what was not acknowledged, once', () => {
    framesWith('a', 'b');
    sender.restart();
    sender.run();
    expect(sender.frames.map(({ sequence, recovered }) => [sequence, recovered])).toEqual([
      [1, true],
      [2, true],
    ]);
    sender.wake();
    expect(sender.frames).toHaveLength(2);
    rig.settle();
    expect(heard()).toBe('ab');
  });

  test('of the sender goes on numbering, also when everything was acknowledged and deleted', () => {
    for (const text of ['a', 'b', 'c', 'd']) {
      rig.call(act(alice, 'tell', [text]));
      rig.settle();
    }
    expect([...sender.disk.range(outbox, [1])].map(({ key }) => key[1])).toEqual([4]);
    sender.restart();
    rig.settle();
    rig.call(act(alice, 'tell', ['e']));
    rig.settle();
    expect(heard()).toBe('abcde');
  });

  test('of the sender, which had not yet deleted what was acknowledged, ends with everything acknowledged', () => {
    const texts = Array.from({ length: 200 }, (_, number) => `${number},`);
    framesWith(...texts);
    rig.pass(partitionLimits.resendAfterMilliseconds);
    rig.settle();
    expect([...sender.disk.range(outbox, [1])]).toHaveLength(200);
    sender.restart();
    rig.settle();
    expect(sender.partition.isSettled).toBe(true);
    expect(heard()).toBe(texts.join(''));
  });

  test('of the receiver loses what it had not committed, and gets it again', () => {
    const frames = framesWith('a', 'b');
    for (const frame of frames) receiver.partition.receive(frame);
    receiver.run();
    receiver.restart();
    rig.pass(partitionLimits.resendAfterMilliseconds);
    rig.settle();
    expect(heard()).toBe('ab');
  });

  test('of the receiver whose last append reached the disk unnoticed takes nothing twice', () => {
    const frames = framesWith('a');
    for (const frame of frames) receiver.partition.receive(frame);
    receiver.run();
    receiver.restart(1);
    rig.pass(partitionLimits.resendAfterMilliseconds);
    rig.settle();
    expect(heard()).toBe('a');
    expect(sender.partition.isSettled).toBe(true);
  });

  test('bodies of an earlier run are checked again before they run', () => {
    rig.scripts.define('tell nonsense', (turn) => turn.tell({ ...hear(bob, 'note', 'x'), body: { scribble: 1 } }));
    rig.call(act(alice, 'tell nonsense'));
    sender.settle();
    sender.restart();
    rig.settle();
    expect(receiver.problems.map(({ message }) => message)).toEqual(['a turn of player.hear failed']);
  });
});

describe('a backlog', () => {
  /** The receiver is away while the sender makes many frames. */
  function backlogOf(frames: number): string {
    const texts = Array.from({ length: frames }, (_, number) => `${number},`);
    framesWith(...texts);
    return texts.join('');
  }

  test('drains as fast as it is acknowledged, not a few frames a second', () => {
    const expected = backlogOf(1_000);
    rig.pass(partitionLimits.resendAfterMilliseconds);
    rig.settle();
    expect(heard()).toBe(expected);
  });

  test('also after a restart of both', () => {
    const expected = backlogOf(500);
    sender.restart();
    receiver.restart();
    rig.settle();
    expect(heard()).toBe(expected);
  });

  test('is measured whole, those that wait on disk included, also after a restart', () => {
    const { waitingFramesMax } = partitionLimits;
    const expected = backlogOf(300);
    const lag = () => sender.partition.load.channels.find(({ destination }) => destination === receiver.number)!;
    expect(lag().frames).toBeGreaterThan(waitingFramesMax);
    const before = lag();
    sender.restart();
    sender.run();
    expect(lag()).toEqual(before);
    rig.settle();
    expect([heard(), lag()]).toEqual([expected, { destination: receiver.number, frames: 0, bytes: 0 }]);
  });

  test('keeps no more frames under way than the receiver holds', () => {
    backlogOf(300);
    rig.pass(partitionLimits.resendAfterMilliseconds);
    expect(sender.frames.length).toBeLessThanOrEqual(partitionLimits.waitingFramesMax);
  });

  test('of many frames a commit leaves the outbox as fast as it is acknowledged', () => {
    const many = Array.from({ length: partitionLimits.turnMessagesMax }, () => '');
    const lengths = Array.from({ length: 6 }, () => {
      for (let call = 0; call < 6; call += 1) rig.call(act(alice, 'tell', many));
      rig.settle();
      return [...sender.disk.range(outbox, [1])].length;
    });
    // Those of the round before go with the commit of the next.
    expect(new Set(lengths.slice(1))).toEqual(new Set(lengths.slice(0, 1)));
  });

  test('leaves the outbox as it is acknowledged', () => {
    backlogOf(200);
    rig.pass(partitionLimits.resendAfterMilliseconds);
    rig.settle();
    for (let commit = 0; commit < 10; commit += 1) {
      rig.call(act(alice, 'note', 'own'));
      sender.settle();
    }
    expect([...sender.disk.range(outbox, [1])]).toHaveLength(1);
  });
});

describe('a receiver that takes nothing', () => {
  /** What leaves the sender within so many seconds. */
  function sentWithin(seconds: number): Frame[] {
    const sent: Frame[] = [];
    for (let second = 0; second < seconds; second += 1) {
      rig.pass(1_000);
      sender.run();
      sent.push(...sender.frames.splice(0));
    }
    return sent;
  }

  test('is sent what is under way once more, then the oldest frame alone, ever more rarely', () => {
    framesWith(...Array.from({ length: 20 }, (_, number) => `${number},`));
    expect(sentWithin(1).map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    const probes = sentWithin(120);
    expect(probes.map(({ sequence }) => sequence)).toEqual(probes.map(() => 1));
    // After 2, 4, 8, 16, 30, 30 and 30 seconds.
    expect(probes).toHaveLength(7);
  });

  test('and has lost it all gets it faster and faster once it takes again', () => {
    const texts = Array.from({ length: 60 }, (_, number) => `${number},`);
    framesWith(...texts);
    sentWithin(10);
    rig.pass(partitionLimits.resendAfterMillisecondsMax);
    const bursts: number[] = [];
    while (sender.frames.length > 0) {
      bursts.push(sender.frames.length);
      rig.deliver();
      receiver.settle();
      rig.deliver();
      sender.settle();
    }
    expect(heard()).toBe(texts.join(''));
    // Every acknowledgement doubles what follows it.
    expect(bursts.slice(0, 5)).toEqual([1, 1, 2, 4, 8]);
    expect(bursts.length).toBeLessThan(8);
  });
});

describe('order between two actors', () => {
  test('messages within a partition run in the batch of their cause', () => {
    const carol = playerOf(0, 2, 4);
    rig.scripts.define('tell carol', (turn) => {
      for (const text of ['a', 'b', 'c']) turn.tell(hear(carol, 'note', text));
    });
    rig.call(act(alice, 'tell carol'));
    sender.run();
    sender.log.complete();
    expect(sender.disk.get(notes, [carol, 0])).toBe('abc');
    expect(sender.log.waiting).toBe(0);
  });

  test('what is too much for one batch stands in the inbox, and what comes later stands behind it', () => {
    const carol = playerOf(0, 2, 4);
    const many = partitionLimits.localRunsMax + 50;
    rig.scripts.define('tell carol', (turn, first) => {
      for (let number = 0; number < many; number += 1) turn.tell(hear(carol, 'count', (first as number) + number));
    });
    const order: number[] = [];
    rig.scripts.define('count', (turn, number) => {
      order.push(number as number);
      turn.put(notes, [carol, 1], String(number));
    });
    rig.call(act(alice, 'tell carol', 0));
    rig.call(act(alice, 'tell carol', many));
    sender.settle();
    expect(order).toEqual(Array.from({ length: 2 * many }, (_, number) => number));
    expect([...sender.disk.range(inbox, [])]).toEqual([]);
  });

  test('an inbox survives a restart, in order and exactly once', () => {
    const carol = playerOf(0, 2, 4);
    const many = partitionLimits.localRunsMax + 600;
    rig.scripts.define('tell carol', (turn) => {
      for (let number = 0; number < many; number += 1) turn.tell(hear(carol, 'add', number));
    });
    rig.scripts.define('add', (turn, number) => {
      const before = turn.get(notes, [carol, 1]) ?? '-1';
      turn.put(notes, [carol, 1], before === String((number as number) - 1) ? String(number) : `broken at ${number}`);
    });
    rig.call(act(alice, 'tell carol'));
    sender.run();
    sender.log.complete();
    expect([...sender.disk.range(inbox, [])].length).toBeGreaterThan(0);
    sender.restart();
    sender.settle();
    expect(sender.disk.get(notes, [carol, 1])).toBe(String(many - 1));
    expect([...sender.disk.range(inbox, [])]).toEqual([]);
  });
});
