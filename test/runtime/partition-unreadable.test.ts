/** A temporarily unreadable disk: no message is at fault, nothing is lost, and callers are answered. */
import { beforeEach, describe, expect, test } from 'vitest';
import { partitionLimits } from '../../src/runtime/limits.ts';
import { deadLetters, inbox } from '../../src/runtime/storage/machine.ts';
import type { Reader } from '../../src/runtime/storage/reader.ts';
import { act, Fetch, hear, notes, Player, playerOf, Said } from './support/players.ts';
import { Rig, type Seat } from './support/rig.ts';

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);
const carol = playerOf(1, 2, 1);

let rig: Rig;
let sender: Seat;
let seat: Seat;

beforeEach(() => {
  rig = new Rig(2);
  [sender, seat] = rig.seats as [Seat, Seat];
  rig.scripts.define('tell', (turn, texts) => {
    for (const text of texts as string[]) turn.tell(hear(bob, 'note', text));
  });
  rig.scripts.define('note', (turn, text) => {
    turn.put(notes, [turn.self.key, 0], `${turn.get(notes, [turn.self.key, 0]) ?? ''}${text}`);
  });
  rig.scripts.define('blind', (turn) => turn.put(notes, [turn.self.key, 1], 'x'));
});

const heard = (player = bob) => seat.disk.get(notes, [player, 0]);
const letters = () => [...seat.disk.range(deadLetters, [])];
const waiting = () => [...seat.disk.range(inbox, [])].length;
const reports = () => seat.problems.map(({ message }) => message);

/** Seconds pass, in steps in which all pauses of a partition end. */
function pass(seconds: number): void {
  for (let step = 0; step < seconds * 10; step += 1) {
    rig.pass(100);
    rig.settle();
  }
}

/** What turns read cannot be read: the first so many times, or until it can be again. */
function failTurns(times = Number.POSITIVE_INFINITY): void {
  let left = times;
  rig.scripts.define('note', (turn, text) => {
    seat.log.failReads(() => left > 0);
    try {
      turn.get(notes, [turn.self.key, 1]);
    } finally {
      left -= 1;
      seat.log.failReads(undefined);
    }
    turn.put(notes, [turn.self.key, 0], `${turn.get(notes, [turn.self.key, 0]) ?? ''}${text}`);
  });
}

describe('a turn that cannot read', () => {
  test('of a call: its caller gets a failure that allows a retry', () => {
    failTurns(1);
    const refused = rig.call(act(bob, 'note', 'a'));
    const other = rig.call(act(carol, 'blind'));
    rig.settle();
    expect([rig.refusalOf(refused), rig.refusalOf(other)]).toEqual(['storageUnavailable', undefined]);
    rig.call(act(bob, 'note', 'a'));
    rig.settle();
    expect([heard(), letters()]).toEqual(['a', []]);
    expect(reports()).toEqual(['the storage could not be read: calls are refused']);
  });

  test('of messages of a frame: they run later, in order and once, and none is a dead letter', () => {
    failTurns(3);
    rig.call(act(alice, 'tell', ['a', 'b', 'c', 'd']));
    rig.settle();
    expect([heard(), waiting(), letters()]).toEqual([undefined, 4, []]);
    expect(seat.partition.isSettled).toBe(false);
    rig.call(act(alice, 'tell', ['e']));
    pass(2);
    expect([heard(), waiting(), letters()]).toEqual(['abcde', 0, []]);
    expect(rig.seats.every(({ partition }) => partition.isSettled)).toBe(true);
  });

  test.each([
    ['back', -3_600_000],
    ['ahead', 3_600_000],
  ])('of a message: it runs after its pause though the wall clock was set %s an hour', (_where, jump) => {
    failTurns(1);
    rig.call(act(alice, 'tell', ['a']));
    rig.settle();
    rig.now += jump;
    const seen = [partitionLimits.failurePauseMilliseconds - 1, 1].map((passed) => {
      rig.pass(passed);
      rig.settle();
      return heard();
    });
    expect([...seen, waiting()]).toEqual([undefined, 'a', 0]);
  });

  test('leaves others their turn, also while it goes on for long', () => {
    failTurns();
    rig.call(act(alice, 'tell', ['a']));
    rig.settle();
    const calls = Array.from({ length: 20 }, () => {
      pass(1);
      const call = rig.call(act(carol, 'blind'));
      rig.settle();
      return rig.refusalOf(call) ?? 'well';
    });
    expect(new Set(calls)).toEqual(new Set(['well']));
    // After 0.1, 0.2, 0.4, … 3.2 and then every 5 seconds.
    expect(reports().length).toBeLessThan(12);
    expect(letters()).toEqual([]);
  });

  test.each([
    ['a timer', () => rig.scripts.define('ask', (turn) => turn.schedule(turn.now, hear(bob, 'note', 'z')))],
    ['an answer', () => rig.scripts.define('ask', (turn) => turn.effect(Fetch, { what: 'page' }, Player.answered))],
    ['a message of the same partition', () => rig.scripts.define('ask', (turn) => turn.tell(hear(bob, 'note', 'z')))],
  ])('of %s: it runs later, also after a restart', (_, prepare) => {
    prepare();
    failTurns(1);
    rig.scripts.define('answered', (turn) => turn.tell(hear(bob, 'note', 'z')));
    rig.call(act(bob, 'ask'));
    rig.settle();
    if (seat.effects.length > 0) seat.partition.effectAnswered(1, 'A');
    rig.settle();
    expect([heard(), waiting()]).toEqual([undefined, 1]);
    seat.restart();
    pass(1);
    expect([heard(), waiting(), letters()]).toEqual(['z', 0, []]);
  });

  test('and whose reply another waits for: that one hears it when it has run', () => {
    failTurns(2);
    rig.scripts.define('ask bob', (turn) => turn.delegateReply(act(bob, 'note', 'a')));
    const call = rig.call(act(alice, 'ask bob'));
    rig.settle();
    expect(rig.repliesTo(call)).toEqual([]);
    pass(1);
    expect([rig.refusalOf(call), heard()]).toEqual([undefined, 'a']);
    expect(rig.repliesTo(call)).toHaveLength(1);
  });
});

describe('a partition that cannot read what it needs outside of turns', () => {
  /** Everything but what a turn reads fails. */
  function breakDisk(): void {
    seat.log.failReads(() => true);
  }

  test('refuses calls, drops what is not on disk, and goes on when it can read again', () => {
    rig.scripts.define('say', (turn) => {
      turn.emit(Said, { what: 'hello' });
      turn.put(notes, [turn.self.key, 1], 'x');
    });
    rig.call(act(alice, 'tell', ['a']));
    sender.settle();
    const inFlight = rig.call(act(bob, 'say'));
    seat.run();
    const filling = rig.call(act(bob, 'say'));
    seat.run();
    breakDisk();
    seat.log.complete();
    const later = rig.call(act(bob, 'say'));
    rig.deliver();
    for (let second = 0; second < 30; second += 1) {
      rig.pass(1_000);
      rig.run();
    }
    expect([inFlight, filling, later].map((call) => rig.refusalOf(call))).toEqual([
      undefined,
      'storageUnavailable',
      'storageUnavailable',
    ]);
    expect(seat.published.map(({ commit }) => commit)).toEqual([1]);
    seat.log.failReads(undefined);
    pass(40);
    const again = rig.call(act(bob, 'say'));
    rig.settle();
    expect([rig.refusalOf(again), heard()]).toEqual([undefined, 'a']);
    expect(seat.published.map(({ commit }) => commit)).toHaveLength(2);
  });

  test('tries at intervals, and says so', () => {
    rig.scripts.define('plan', (turn) => turn.schedule(turn.now + 10, hear(bob, 'note', 'z')));
    rig.call(act(bob, 'plan'));
    rig.settle();
    breakDisk();
    for (let second = 0; second < 60; second += 1) {
      rig.pass(1_000);
      rig.run();
    }
    expect(reports().length).toBeGreaterThan(8);
    expect(reports().length).toBeLessThan(30);
    expect(new Set(reports())).toEqual(
      new Set(['partition 1 could not read its storage', 'the log of partition 1 does not answer']),
    );
    seat.log.failReads(undefined);
    pass(10);
    expect(heard()).toBe('z');
  });

  test('opens for the first time when it can read', () => {
    rig.call(act(alice, 'tell', ['a']));
    rig.settle();
    const fresh = new Rig(2);
    fresh.seats[1]!.log.failReads(() => true);
    expect(() => fresh.seats[1]!.open()).not.toThrow();
    fresh.seats[1]!.log.failReads(undefined);
    fresh.scripts.define('say', (turn) => turn.put(notes, [turn.self.key, 1], 'x'));
    for (let second = 0; second < 40; second += 1) {
      fresh.pass(1_000);
      fresh.settle();
    }
    const call = fresh.call(act(bob, 'say'));
    fresh.settle();
    expect(fresh.refusalOf(call)).toBeUndefined();
  });

  test('closes all the same', async () => {
    breakDisk();
    rig.call(act(bob, 'note', 'a'));
    rig.run();
    const closed = seat.partition.close();
    rig.run();
    await closed;
  });
});

test('a view that is asked before its partition has opened again reads nothing older than what it was told', () => {
  let told = 0;
  let read: () => string | undefined = () => undefined;
  const view = {
    name: 'mirror',
    opened: (reader: Reader) => {
      read = () => reader.get(notes, [bob, 0]);
    },
    committed: ({ commit }: { commit: number }) => {
      told = commit;
      return [];
    },
    control: () => [told, read()],
  };
  rig = new Rig(2, [view]);
  // The second partition is the one whose reader the view got last.
  seat = rig.seats[1]!;
  rig.scripts.define('say', (turn, text) => {
    turn.put(notes, [turn.self.key, 0], text as string);
    turn.emit(Said, { what: text as string });
  });
  rig.call(act(bob, 'say', 'hello'));
  seat.run();
  seat.log.failReads(() => true);
  seat.log.complete();
  seat.log.failReads(undefined);
  expect(seat.partition.control('mirror', undefined)).toEqual([1, 'hello']);
});
