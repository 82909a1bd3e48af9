/** Bounds under overload: calls are refused, all other work continues. */
import { beforeEach, describe, expect, test } from 'vitest';
import { pack } from '../../src/runtime/codec.ts';
import { partitionLimits } from '../../src/runtime/limits.ts';
import { sizeOfPlainData } from '../../src/runtime/plain-data.ts';
import { inbox, timers } from '../../src/runtime/storage/machine.ts';
import { act, Fetch, hear, notes, Player, playerOf, Said, type Script } from './support/players.ts';
import { Rig, startOfTime } from './support/rig.ts';

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);

let rig: Rig;

beforeEach(() => {
  rig = new Rig(2);
  rig.scripts.define('write', (turn) => turn.put(notes, [turn.self.key, 1], 'x'));
  rig.scripts.define('large', (turn, position) =>
    turn.put(notes, [turn.self.key, position as number], 'x'.repeat(1_000_000)),
  );
});

test('calls of one flow to one actor beyond the bound are refused at once, the others are served', () => {
  const calls = Array.from({ length: partitionLimits.mailboxCallsMax + 3 }, () => rig.call(act(alice, 'write')));
  const other = rig.call(act(alice, 'write'), 'account:2');
  const refused = calls.filter((call) => rig.refusalOf(call) === 'overloaded');
  expect(refused).toEqual(calls.slice(-3));
  rig.seat.settle();
  for (const call of [...calls.slice(0, -3), other]) expect(rig.valueOf(call)).toBeUndefined();
});

describe('what one commit may put into the inbox', () => {
  const dave = playerOf(0, 2, 1);
  const { inboxMessagesMax, inboxBytesMax, turnMessagesMax, turnBytesMax } = partitionLimits;
  let ran: number;

  beforeEach(() => {
    ran = 0;
    rig.scripts.define('tell', (turn, argument) => {
      const { script, count, text } = argument as { script: string; count: number; text: string };
      for (let number = 0; number < count; number += 1) {
        const to = script === 'tell' ? playerOf(0, 2, 2 + number) : dave;
        turn.tell(hear(to, script, { script: 'count', count: turnMessagesMax, text }));
      }
    });
    rig.scripts.define('fill', (turn, text) => {
      for (let number = 0; number < 9; number += 1) turn.tell(hear(dave, 'count', text));
    });
    rig.scripts.define('fill all', (turn, text) => {
      for (let number = 0; number < 500; number += 1) turn.tell(hear(playerOf(0, 2, 2 + number), 'fill', text));
    });
    rig.scripts.define('count', () => {
      ran += 1;
    });
  });

  const inboxNow = () => [...rig.seat.disk.range(inbox, [])].map(({ value }) => pack(value).byteLength);
  const sum = (numbers: number[]) => numbers.reduce((total, bytes) => total + bytes, 0);

  test('is what the inbox holds, and what one turn tells, also where messages tell messages', () => {
    rig.call(act(alice, 'tell', { script: 'tell', count: 40, text: '' }));
    rig.seat.run();
    rig.seat.log.complete();
    expect(inboxNow().length).toBeGreaterThan(inboxMessagesMax);
    expect(inboxNow().length).toBeLessThanOrEqual(inboxMessagesMax + turnMessagesMax);
  });

  test('is so many bytes, and what one turn tells', () => {
    rig.call(act(alice, 'fill all', 'x'.repeat(12_000)));
    rig.seat.run();
    rig.seat.log.complete();
    expect(sum(inboxNow())).toBeGreaterThan(inboxBytesMax);
    expect(sum(inboxNow())).toBeLessThanOrEqual(inboxBytesMax + turnBytesMax);
    rig.seat.settle();
    expect(ran).toBe(500 * 9);
  });

  test('a turn that tells more bytes than it may is refused', () => {
    rig.scripts.define('shout', (turn, length) => turn.tell(hear(dave, 'count', 'x'.repeat(length as number))));
    const calls = [turnBytesMax - 1_000, turnBytesMax, 20_000_000].map((length) =>
      rig.call(act(alice, 'shout', length)),
    );
    rig.seat.settle();
    expect(calls.map((call) => rig.refusalOf(call))).toEqual([undefined, 'internal', 'internal']);
    expect(ran).toBe(1);
  });
});

test('a batch stops growing at its bound while the one before it is under way', () => {
  rig.call(act(alice, 'write'));
  rig.seat.run();
  const calls = Array.from({ length: 12 }, (_, number) => rig.call(act(alice, 'large', number)));
  rig.seat.run();
  expect(rig.seat.log.waiting).toBe(1);
  rig.seat.log.complete();
  rig.seat.run();
  expect(calls.filter((call) => rig.repliesTo(call).length > 0)).toEqual([]);
  rig.seat.log.complete();
  const answered = calls.filter((call) => rig.repliesTo(call).length > 0);
  expect(answered.length).toBeGreaterThan(partitionLimits.batchBytesMax / 1_000_000 - 2);
  expect(answered.length).toBeLessThan(12);
  rig.seat.settle();
  for (const call of calls) expect(rig.valueOf(call)).toBeUndefined();
});

test('what a batch replies counts for its bound', () => {
  const { batchBytesMax } = partitionLimits;
  const large = 'x'.repeat(batchBytesMax / 8);
  rig.scripts.define('tell all', () => large);
  rig.call(act(alice, 'write'));
  rig.run();
  const calls = Array.from({ length: 12 }, (_, number) => rig.call(act(playerOf(0, 2, number), 'tell all')));
  rig.run();
  expect(rig.seat.partition.load.calls).toBeGreaterThanOrEqual(calls.length - 8);
  rig.settle();
  for (const call of calls) expect(rig.valueOf(call)).toBe(large);
});

describe('what is due while the batch is full waits for the commit, and wakes nobody until then:', () => {
  test.each<[string, () => void, number, () => boolean]>([
    [
      'a timer',
      () => {
        rig.scripts.define('plan', (turn) => turn.schedule(turn.now + 10, hear(alice, 'write')));
        rig.call(act(alice, 'plan'));
        rig.seat.settle();
      },
      10,
      () => [...rig.seat.disk.range(timers, [])].length === 0,
    ],
    [
      'an effect whose runner failed',
      () => {
        rig.scripts.define('fetch', (turn) => turn.effect(Fetch, { what: 'a page' }, Player.answered));
        rig.call(act(alice, 'fetch'));
        rig.seat.settle();
        rig.seat.partition.effectFailed(1, 'it fell');
        rig.seat.settle();
      },
      partitionLimits.effectRetryMilliseconds,
      () => rig.seat.effects.length === 2,
    ],
    [
      'a message that could not read',
      () => {
        rig.scripts.define('read', (turn) => {
          rig.seat.log.failReads(() => rig.now === startOfTime);
          try {
            turn.get(notes, [turn.self.key, 98]);
          } finally {
            rig.seat.log.failReads(undefined);
          }
          turn.put(notes, [turn.self.key, 99], 'x');
        });
        rig.scripts.define('tell', (turn) => turn.tell(hear(playerOf(0, 2, 3), 'read')));
        rig.call(act(alice, 'tell'));
        rig.seat.settle();
      },
      partitionLimits.failurePauseMilliseconds,
      () => rig.seat.disk.get(notes, [playerOf(0, 2, 3), 99]) !== undefined,
    ],
  ])('%s', (_what, plan, milliseconds, isDone) => {
    plan();
    rig.call(act(alice, 'write'));
    rig.seat.run();
    for (let number = 0; number < 12; number += 1) rig.call(act(alice, 'large', number));
    rig.seat.run();
    rig.pass(milliseconds);
    rig.seat.run();
    expect([rig.seat.wakeAt, isDone()]).toEqual([undefined, false]);
    rig.seat.settle();
    expect(isDone()).toBe(true);
  });
});

test.each<[string, Script]>([
  ['sends to other partitions', (turn) => turn.tell(hear(bob, 'ignore', 'x'.repeat(1_000_000)))],
  ['announces', (turn) => turn.emit(Said, { what: 'x'.repeat(1_000_000) })],
])('what a batch %s counts as well', (_what, script) => {
  rig.scripts.define('add', script);
  rig.scripts.define('ignore', () => undefined);
  rig.call(act(alice, 'write'));
  rig.seat.run();
  const calls = Array.from({ length: 12 }, () => rig.call(act(alice, 'add')));
  rig.seat.run();
  rig.seat.log.complete();
  rig.seat.run();
  rig.seat.log.complete();
  const answered = calls.filter((call) => rig.repliesTo(call).length > 0);
  expect(answered.length).toBeGreaterThan(partitionLimits.batchBytesMax / 1_000_000 - 2);
  expect(answered.length).toBeLessThan(12);
  rig.settle();
  for (const call of calls) expect(rig.valueOf(call)).toBeUndefined();
});

test('what an actor cuts into slices, each telling it to go on, lets others in between and comes to its end', () => {
  const slices: number[] = [];
  rig.scripts.define('slice', (turn, left) => {
    slices.push(left as number);
    if ((left as number) > 1) turn.tell(hear(alice, 'slice', (left as number) - 1));
  });
  rig.scripts.define('begin', (turn) => turn.tell(hear(alice, 'slice', 500)));
  rig.scripts.define('look', () => slices.length);
  rig.call(act(alice, 'begin'));
  const other = rig.call(act(playerOf(0, 2, 1), 'look'), 'account:2');
  rig.seat.settle();
  expect(rig.valueOf(other)).toBeLessThan(50);
  expect(slices).toEqual(Array.from({ length: 500 }, (_, done) => 500 - done));
  expect([...rig.seat.disk.range(inbox, [])]).toEqual([]);
});

test('what has run is committed before more is begun when turns take long', () => {
  const length = 3;
  rig.scripts.define('take long', (turn) => {
    rig.elapse(length);
    turn.put(notes, [turn.self.key, 1], 'x');
  });
  const calls = Array.from({ length: 100 }, () => rig.call(act(alice, 'take long')));
  rig.seat.run();
  rig.seat.log.complete();
  const answered = calls.filter((call) => rig.repliesTo(call).length > 0);
  expect(answered).toEqual(calls.slice(0, Math.ceil(partitionLimits.sliceMillisecondsMax / length)));
  rig.seat.settle();
  for (const call of calls) expect(rig.valueOf(call)).toBeUndefined();
});

test.each([
  ['of a frame', bob],
  ['within the partition', playerOf(0, 2, 2)],
])('messages %s that take long run while their slice has time, then others do', (_what, teller) => {
  const count = 100;
  const heard: number[] = [];
  rig.scripts.define('tell many', (turn) => {
    for (let number = 0; number < count; number += 1) turn.tell(hear(alice, 'listen', number));
  });
  rig.scripts.define('listen', (_turn, number) => {
    rig.elapse(1);
    heard.push(number as number);
  });
  rig.scripts.define('look', () => heard.length);
  rig.call(act(teller, 'tell many'));
  rig.seats[1]!.settle();
  rig.deliver();
  const other = rig.call(act(playerOf(0, 2, 1), 'look'), 'account:2');
  rig.settle();
  expect(rig.valueOf(other)).toBeLessThan(count / 2);
  expect(heard).toEqual(Array.from({ length: count }, (_, number) => number));
  expect([...rig.seat.disk.range(inbox, [])]).toEqual([]);
});

describe('one turn may not', () => {
  test.each([
    [
      'send too many messages',
      partitionLimits.turnMessagesMax,
      (count: number) => {
        rig.scripts.define('too much', (turn) => {
          for (let number = 0; number < count; number += 1) turn.tell(hear(bob, 'write'));
        });
      },
    ],
    [
      'write too much',
      partitionLimits.turnWritesMax,
      (count: number) => {
        rig.scripts.define('too much', (turn) => {
          for (let number = 0; number < count; number += 1) turn.put(notes, [alice, number], 'x');
        });
      },
    ],
    [
      'plan too many timers',
      partitionLimits.turnMessagesMax,
      (count: number) => {
        rig.scripts.define('too much', (turn) => {
          for (let number = 0; number < count; number += 1) turn.schedule(turn.now + 1, hear(alice, 'write'));
        });
      },
    ],
    [
      'reply with too much',
      Math.floor((partitionLimits.turnBytesMax - sizeOfPlainData('')) / 2),
      (count: number) => rig.scripts.define('too much', () => 'x'.repeat(count)),
    ],
  ])('%s', (_, bound, define) => {
    for (const [count, refusal] of [
      [bound, undefined],
      [bound + 1, 'internal'],
    ] as const) {
      define(count);
      const call = rig.call(act(alice, 'too much'));
      rig.seat.settle();
      expect(rig.refusalOf(call)).toBe(refusal);
    }
  });
});

test('calls are served while frames keep coming', () => {
  const frames = 40;
  rig.scripts.define('flood', (turn) => {
    for (let number = 0; number < partitionLimits.frameMessagesMax; number += 1) turn.tell(hear(bob, 'count'));
  });
  let heard = 0;
  rig.scripts.define('count', () => {
    heard += 1;
  });
  rig.scripts.define('look', () => heard);
  for (let frame = 0; frame < frames; frame += 1) {
    rig.call(act(alice, 'flood'));
    rig.seats[0]!.settle();
  }
  const calls = Array.from({ length: frames }, () => rig.call(act(bob, 'look')));
  rig.settle();
  const seen = calls.map((call) => rig.valueOf(call) as number);
  expect(heard).toBe(frames * partitionLimits.frameMessagesMax);
  expect(Math.max(...seen)).toBeLessThan((frames * partitionLimits.frameMessagesMax) / 4);
});

test('a partition at rest has nothing left over', () => {
  for (let number = 0; number < 50; number += 1) rig.call(act(alice, 'write'));
  rig.settle();
  for (const seat of rig.seats) {
    expect(seat.partition.isSettled).toBe(true);
    expect([...seat.disk.range(inbox, []), ...seat.disk.range(timers, [])]).toEqual([]);
    expect(seat.log.waiting).toBe(0);
  }
});
