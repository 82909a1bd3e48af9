/** Timers: durable, in order of time, in the partition of their actor. */
import { beforeEach, describe, expect, test } from 'vitest';
import { timers } from '../../src/runtime/storage/machine.ts';
import { act, hear, notes, playerOf } from './support/players.ts';
import { Rig } from './support/rig.ts';

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);

let rig: Rig;

beforeEach(() => {
  rig = new Rig(2);
  rig.scripts.define('plan', (turn, argument) => {
    const [after, text, player] = argument as [number, string, bigint?];
    turn.schedule(turn.now + after, hear(player ?? turn.self.key, 'ring', text));
  });
  rig.scripts.define('ring', (turn, text) => {
    const rung = turn.get(notes, [turn.self.key, 0]) ?? '';
    turn.put(notes, [turn.self.key, 0], `${rung}${text}`);
  });
});

function plan(after: number, text: string, player?: bigint): void {
  rig.call(act(alice, 'plan', [after, text, player]));
}

function rung(player = alice): string | undefined {
  return rig.seats[player === bob ? 1 : 0]!.disk.get(notes, [player, 0]);
}

test('a timer runs at its time, not before, once', () => {
  plan(5_000, 'a');
  rig.settle();
  expect(rig.seat.wakeAt).toBe(rig.monotonic + 5_000);
  rig.pass(4_999);
  rig.seat.wake();
  rig.settle();
  expect(rung()).toBeUndefined();
  rig.pass(1);
  rig.settle();
  expect(rung()).toBe('a');
  expect([...rig.seat.disk.range(timers, [])]).toEqual([]);
  rig.pass(10_000);
  rig.settle();
  expect(rung()).toBe('a');
});

test.each([
  ['now', 0],
  ['in the past', -60_000],
  ['before 1970', -1e15],
  ['at a broken millisecond', 0.25],
])('a timer %s runs at once', (_, after) => {
  plan(after, 'a');
  rig.settle();
  rig.pass(1);
  rig.settle();
  expect(rung()).toBe('a');
});

test('timers run in the order of their time, those of one time in the order in which they were set', () => {
  plan(300, 'd');
  plan(100, 'a');
  plan(200, 'c');
  plan(100, 'b');
  rig.settle();
  rig.pass(1_000);
  rig.settle();
  expect(rung()).toBe('abcd');
});

test('the partition asks to be woken at its earliest timer', () => {
  plan(5_000, 'late');
  rig.settle();
  plan(1_000, 'early');
  rig.settle();
  expect(rig.seat.wakeAt).toBe(rig.monotonic + 1_000);
  rig.pass(1_000);
  rig.settle();
  expect(rung()).toBe('early');
  expect(rig.seat.wakeAt).toBe(rig.monotonic + 4_000);
});

describe('the wall clock is set', () => {
  const day = 86_400_000;

  test('ahead: what is due by it runs once the partition hears of that, and once', () => {
    plan(5_000, 'a');
    plan(2 * day, 'b');
    rig.settle();
    rig.now += day;
    rig.seat.partition.clockSet();
    rig.settle();
    expect(rung()).toBe('a');
    expect(rig.seat.wakeAt).toBe(rig.monotonic + 5_000);
    rig.seat.wake();
    rig.now += day;
    rig.seat.partition.clockSet();
    rig.settle();
    expect(rung()).toBe('ab');
  });

  test('ahead, not as far as the next timer: the partition asks to be woken sooner', () => {
    plan(day, 'a');
    rig.settle();
    rig.now += day - 10;
    rig.seat.partition.clockSet();
    rig.settle();
    expect([rung(), rig.seat.wakeAt]).toEqual([undefined, rig.monotonic + 10]);
    rig.pass(10);
    rig.settle();
    expect(rung()).toBe('a');
  });

  test('back: a timer stands until its date has come, also where others were read with it', () => {
    plan(1_000, 'a');
    plan(2_000, 'b');
    rig.settle();
    rig.now -= day;
    rig.pass(2_000);
    rig.settle();
    expect([rung(), rig.seat.wakeAt]).toEqual([undefined, rig.monotonic + day - 1_000]);
    rig.pass(day - 1_000);
    rig.settle();
    expect(rung()).toBe('a');
    rig.pass(1_000);
    rig.settle();
    expect(rung()).toBe('ab');
  });
});

test('a timer that plans another in the past runs it before the later ones', () => {
  rig.scripts.define('chain', (turn) => {
    turn.schedule(turn.now - 5_000, hear(alice, 'ring', 'b'));
    turn.put(notes, [alice, 0], 'a');
  });
  rig.scripts.define('plan chain', (turn) => turn.schedule(turn.now + 100, hear(alice, 'chain')));
  rig.call(act(alice, 'plan chain'));
  plan(200, 'c');
  rig.settle();
  rig.pass(1_000);
  rig.settle();
  expect(rung()).toBe('abc');
});

test('a timer for an actor of another partition runs there', () => {
  plan(100, 'x', bob);
  rig.settle();
  rig.pass(100);
  rig.settle();
  expect([rung(bob), rung(alice)]).toEqual(['x', undefined]);
  expect(rig.seats[1]!.problems).toEqual([]);
});

test('a timer runs within the commit that deletes it', () => {
  plan(100, 'a');
  rig.settle();
  rig.pass(100);
  rig.seat.run();
  rig.seat.restart();
  rig.settle();
  expect(rung()).toBe('a');
  rig.seat.restart();
  rig.settle();
  expect(rung()).toBe('a');
});

test('a failed append gives the timer back', () => {
  plan(100, 'a');
  rig.settle();
  rig.pass(100);
  rig.seat.run();
  rig.seat.lose(0);
  rig.settle();
  expect(rung()).toBe('a');
});

test('thousands that are overdue after a downtime all run, in order, and calls are served between them', () => {
  const many = 3_000;
  rig.scripts.define('plan many', (turn) => {
    for (let number = 0; number < many; number += 1)
      turn.schedule(turn.now + 1_000 + number, hear(alice, 'tick', number));
  });
  const order: number[] = [];
  rig.scripts.define('tick', (turn, number) => {
    order.push(number as number);
    turn.put(notes, [alice, 1], String(number));
  });
  rig.scripts.define('ping', () => order.length);
  rig.call(act(alice, 'plan many'));
  rig.settle();
  rig.elapse(3_600_000);
  rig.seat.restart();
  const ping = rig.call(act(alice, 'ping'));
  rig.settle();
  expect(order).toEqual(Array.from({ length: many }, (_, number) => number));
  expect(rig.valueOf(ping)).toBeLessThan(10);
  expect([...rig.seat.disk.range(timers, [])]).toEqual([]);
});

describe('overdue timers in large numbers', () => {
  /** CPU time, when all of them are due in one batch. */
  function microsecondsPerTimer(many: number): number {
    const crowd = new Rig();
    const player = playerOf(0, 1);
    crowd.scripts.define('plan', (turn) => {
      for (let number = 0; number < 4_000; number += 1) turn.schedule(turn.now + 1_000, hear(player, 'tick'));
    });
    let ran = 0;
    crowd.scripts.define('tick', () => {
      ran += 1;
    });
    for (let number = 0; number < many; number += 4_000) crowd.call(act(player, 'plan'));
    crowd.settle();
    // Nothing is in flight to end the batch.
    crowd.elapse(1_000);
    crowd.call(act(player, 'tick'));
    const before = process.threadCpuUsage();
    crowd.seat.partition.wake();
    crowd.settle();
    const { user, system } = process.threadCpuUsage(before);
    expect(ran).toBeGreaterThan(many);
    return (user + system) / ran;
  }

  test('cost the same each, however many of them one batch deletes', () => {
    // The garbage collector may fall into one attempt, and not into each.
    let growth = Number.POSITIVE_INFINITY;
    for (let attempt = 1; attempt <= 3 && growth >= 2; attempt += 1)
      growth = microsecondsPerTimer(16_000) / microsecondsPerTimer(4_000);
    expect(growth).toBeLessThan(2);
  });
});
