/** Messages between partitions and within one: in order, exactly once, whatever is lost, repeated or late. */
import { beforeEach, describe, expect, test } from 'vitest';
import { handedOn } from '../../src/runtime/contract.ts';
import { Failure } from '../../src/runtime/errors.ts';
import { partitionLimits } from '../../src/runtime/limits.ts';
import type { Frame } from '../../src/runtime/ports.ts';
import { cursors, inbox, outbox } from '../../src/runtime/storage/machine.ts';
import { act, hear, notes, playerOf, Stage } from './support/players.ts';
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
    expect(receiver.acknowledgements).toEqual([{ source: 0, destination: 1, sequence: 1 }]);
    expect(receiver.disk.get(cursors, [0])).toBe(1);
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
    rig.pass(partitionLimits.resendAfterMilliseconds);
    rig.settle();
    expect(heard()).toBe('a');
  });

  test('is not sent again before its time, and not when it was acknowledged', () => {
    framesWith('a');
    rig.pass(partitionLimits.resendAfterMilliseconds - 1);
    sender.wake();
    expect(sender.frames).toEqual([]);
    sender.partition.acknowledged(1, 1);
    rig.pass(partitionLimits.resendAfterMilliseconds * 5);
    sender.wake();
    expect(sender.frames).toEqual([]);
  });

  test('is sent again in time though the clock went back an hour', () => {
    framesWith('a');
    rig.now -= 3_600_000;
    sender.wake();
    sender.settle();
    expect(sender.frames).toHaveLength(1);
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

  test('keeps no more frames under way than the receiver holds', () => {
    backlogOf(300);
    rig.pass(partitionLimits.resendAfterMilliseconds);
    expect(sender.frames.length).toBeLessThanOrEqual(partitionLimits.waitingFramesMax);
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

describe('the partition actor', () => {
  test('is told by its number, wherever it is', () => {
    rig.scripts.define('tell stages', (turn) => {
      for (const partition of [0n, 1n]) turn.tell(Stage.hear.to(partition, { script: 'report', argument: 'x' }));
    });
    const seen: unknown[] = [];
    rig.scripts.define('report', (turn) => seen.push([turn.self.key, turn.partition, turn.partitions]));
    rig.call(act(alice, 'tell stages'));
    rig.settle();
    expect(seen).toEqual([
      [0n, 0, 2],
      [1n, 1, 2],
    ]);
  });
});

describe('a reply that is handed on', () => {
  test('comes from the last actor of the chain, after its commit', () => {
    rig.scripts.define('ask bob', (turn, text) => turn.handOn(act(bob, 'ask carol', text)));
    rig.scripts.define('ask carol', (turn, text) => turn.handOn(act(playerOf(0, 2, 4), 'answer', text)));
    rig.scripts.define('answer', (turn, text) => {
      turn.put(notes, [turn.self.key, 1], text as string);
      return `${text}, says ${turn.self.key === bob ? 'bob' : 'carol'}`;
    });
    const call = rig.call(act(alice, 'ask bob', 'hello'));
    for (let hop = 0; hop < 2; hop += 1) {
      for (const seat of rig.seats) seat.settle();
      expect(rig.repliesTo(call)).toEqual([]);
      rig.deliver();
    }
    sender.run();
    expect(rig.repliesTo(call)).toEqual([]);
    sender.log.complete();
    expect(rig.valueOf(call)).toBe('hello, says carol');
    rig.settle();
    expect(rig.repliesTo(call)).toHaveLength(1);
  });

  test('may be a refusal', () => {
    rig.scripts.define('ask bob', (turn) => turn.handOn(act(bob, 'refuse')));
    rig.scripts.define('refuse', () => {
      throw new Failure('forbidden');
    });
    const call = rig.call(act(alice, 'ask bob'));
    rig.settle();
    expect(rig.refusalOf(call)).toBe('forbidden');
  });

  test.each([
    ['says so without handing it on', 'forgetful'],
    ['hands it on and answers as well', 'eager'],
    ['hands it on twice', 'double'],
  ])('a handler that %s has made a mistake', (_, script) => {
    rig.scripts.define('forgetful', () => handedOn);
    rig.scripts.define('eager', (turn) => {
      turn.handOn(act(bob, 'note', 'x'));
      return 'an answer';
    });
    rig.scripts.define('double', (turn) => {
      turn.handOn(act(bob, 'note', 'x'));
      return turn.handOn(act(bob, 'note', 'y'));
    });
    const call = rig.call(act(alice, script));
    rig.settle();
    expect(rig.refusalOf(call)).toBe('internal');
    expect(heard()).toBeUndefined();
  });
});
