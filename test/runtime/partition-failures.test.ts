/** Appends that fail or whose outcome is unknown, and restarts after them. */
import { beforeEach, describe, expect, test } from 'vitest';
import { conditionName, type PartitionCondition } from '../../src/runtime/condition.ts';
import { partitionLimits } from '../../src/runtime/limits.ts';
import { deadLetters } from '../../src/runtime/storage/machine.ts';
import { act, Fetch, hear, notes, Player, playerOf, Said, Stage } from './support/players.ts';
import { Rig } from './support/rig.ts';

const alice = playerOf(0, 1);

let rig: Rig;

beforeEach(() => {
  rig = new Rig();
  rig.scripts.define('write', (turn, text) => turn.put(notes, [alice, 1], text as string));
  rig.scripts.define('read', (turn) => turn.get(notes, [alice, 1]));
  rig.scripts.define('count', (turn) => {
    const count = Number(turn.get(notes, [alice, 2]) ?? 0) + 1;
    turn.put(notes, [alice, 2], String(count));
    return count;
  });
  rig.scripts.define('id', (turn) => turn.nextId());
});

function read(): unknown {
  const call = rig.call(act(alice, 'read'));
  rig.seat.settle();
  return rig.valueOf(call);
}

describe.each([
  { outcome: 'did not reach the disk', applied: false, survivor: 'before', refusal: 'storageUnavailable' },
  { outcome: 'reached the disk all the same', applied: true, survivor: 'filling', refusal: undefined },
])('a failed append that $outcome', ({ applied, survivor, refusal }) => {
  test('its callers hear what became of it, and so do those of the batch behind it', () => {
    rig.call(act(alice, 'write', 'before'));
    rig.seat.settle();
    const inFlight = rig.call(act(alice, 'write', 'in flight'));
    rig.seat.run();
    const filling = [rig.call(act(alice, 'write', 'filling')), rig.call(act(alice, 'read'))];
    rig.seat.run();
    rig.seat.lose(applied ? 1 : 0);
    rig.seat.settle();
    const calls = [inFlight, ...filling];
    expect(calls.map((call) => rig.repliesTo(call).length)).toEqual([1, 1, 1]);
    expect(calls.map((call) => rig.refusalOf(call))).toEqual([refusal, refusal, refusal]);
    expect(read()).toBe(survivor);
    expect(rig.seat.disk.get(notes, [alice, 1])).toBe(survivor);
  });

  test('calls that had not run are refused and may be repeated, or run', () => {
    rig.call(act(alice, 'write', 'in flight'));
    rig.seat.run();
    const waiting = rig.call(act(alice, 'write', 'waiting'));
    rig.seat.lose(applied ? 1 : 0);
    rig.seat.settle();
    expect(rig.refusalOf(waiting)).toBe(refusal);
    expect(read()).toBe(applied ? 'waiting' : undefined);
  });

  test('counting goes on from what the disk says, and later calls work', () => {
    rig.call(act(alice, 'count'));
    rig.seat.run();
    rig.call(act(alice, 'count'));
    rig.seat.run();
    rig.seat.lose(applied ? 1 : 0);
    rig.seat.settle();
    const call = rig.call(act(alice, 'count'));
    rig.seat.settle();
    expect(rig.valueOf(call)).toBe(applied ? 3 : 1);
    expect(rig.seat.disk.get(notes, [alice, 2])).toBe(applied ? '3' : '1');
  });

  test('an id that was given is never given again, also after a restart with a slow clock', () => {
    rig.scripts.define('keep id', (turn) => {
      const id = turn.nextId();
      turn.put(notes, [alice, 3], String(id));
      return id;
    });
    const seen: unknown[] = [];
    rig.scripts.define('show id', (turn) => {
      const id = turn.nextId();
      seen.push(id);
      turn.put(notes, [alice, 3], String(id));
    });
    for (let number = 0; number < 100; number += 1) rig.call(act(alice, 'show id'));
    rig.seat.run();
    rig.seat.lose(applied ? 1 : 0);
    rig.seat.settle();
    for (let number = 0; number < 3; number += 1) rig.call(act(alice, 'show id'));
    rig.seat.settle();
    rig.seat.restart();
    rig.now -= 10_000;
    for (let number = 0; number < 3; number += 1) rig.call(act(alice, 'show id'));
    rig.seat.settle();
    expect(seen).toHaveLength(106);
    expect(new Set(seen).size).toBe(106);
    expect(seen).toEqual([...(seen as bigint[])].sort((a, b) => (a < b ? -1 : 1)));
  });

  test('what was in it leaves exactly once or never: events, effects, timers', () => {
    rig.scripts.define('everything', (turn) => {
      turn.emit(Said, { what: 'hello' });
      turn.effect(Fetch, { what: 'page' }, Player.answered);
      turn.schedule(rig.now, hear(alice, 'count'));
    });
    rig.call(act(alice, 'everything'));
    rig.seat.run();
    rig.seat.lose(applied ? 1 : 0);
    rig.seat.settle();
    expect(rig.seat.effects).toHaveLength(applied ? 1 : 0);
    expect(rig.seat.disk.get(notes, [alice, 2])).toBe(applied ? '1' : undefined);
    expect(rig.seat.published.map(({ events }) => events.length)).toEqual(applied ? [1] : []);
  });
});

test('a delegated reply in a failed append is not waited for', () => {
  rig = new Rig(2);
  rig.scripts.define('ask bob', (turn) => turn.delegateReply(act(playerOf(1, 2), 'id')));
  const call = rig.call(act(playerOf(0, 2), 'ask bob'));
  rig.seat.run();
  rig.seat.lose(0);
  expect(rig.refusalOf(call)).toBe('storageUnavailable');
});

test('a delegated reply in a batch behind a failed append is refused, and asked again it is given', () => {
  rig = new Rig(2);
  rig.scripts.define('ask bob', (turn) => turn.delegateReply(act(playerOf(1, 2), 'id')));
  rig.scripts.define('write', (turn) => turn.put(notes, [turn.self.key, 1], 'x'));
  rig.call(act(playerOf(0, 2), 'write'));
  rig.seat.run();
  const call = rig.call(act(playerOf(0, 2), 'ask bob'));
  rig.seat.run();
  rig.seat.lose(0);
  expect(rig.refusalOf(call)).toBe('storageUnavailable');
});

test('a durable message behind a failed append runs again, and its reply is given then', () => {
  const bob = playerOf(1, 2);
  rig = new Rig(2);
  rig.scripts.define('ask bob', (turn) => turn.delegateReply(act(bob, 'answer')));
  rig.scripts.define('answer', (turn) => {
    turn.put(notes, [bob, 1], 'asked');
    return 'here';
  });
  rig.scripts.define('write', (turn) => turn.put(notes, [turn.self.key, 2], 'x'));
  const call = rig.call(act(playerOf(0, 2), 'ask bob'));
  rig.seats[0]!.settle();
  rig.call(act(bob, 'write'));
  rig.seats[1]!.run();
  rig.deliver();
  rig.seats[1]!.run();
  rig.seats[1]!.lose(0);
  expect(rig.repliesTo(call)).toEqual([]);
  rig.pass(2_000);
  rig.settle();
  expect(rig.repliesTo(call)).toEqual([{ ok: true, value: 'here' }]);
});

test('a disk that keeps failing is tried again at intervals, not in a circle', () => {
  rig.scripts.define('timed', (turn) => turn.put(notes, [alice, 1], 'timed'));
  rig.scripts.define('plan', (turn) => turn.schedule(rig.now + 1_000, hear(alice, 'timed')));
  rig.call(act(alice, 'plan'));
  rig.seat.settle();
  rig.pass(1_000);
  let attempts = 0;
  for (let second = 0; second < 60; second += 1) {
    for (let step = 0; step < 100; step += 1) {
      rig.seat.run();
      if (rig.seat.log.waiting > 0) {
        attempts += 1;
        rig.seat.lose(0);
      }
      rig.pass(10);
    }
  }
  expect(attempts).toBeGreaterThan(5);
  expect(attempts).toBeLessThan(100);
  for (let step = 0; step < 1000 && rig.seat.log.waiting === 0; step += 1) {
    rig.pass(10);
    rig.seat.run();
  }
  rig.seat.settle();
  expect(rig.seat.disk.get(notes, [alice, 1])).toBe('timed');
});

describe('a restart', () => {
  test('finds what was committed and nothing of what was not', () => {
    rig.call(act(alice, 'write', 'committed'));
    rig.seat.settle();
    rig.call(act(alice, 'write', 'in flight'));
    rig.seat.run();
    rig.seat.restart();
    expect(read()).toBe('committed');
  });

  test('ids go on above those of before, though the clock went back', () => {
    const before = rig.call(act(alice, 'id'));
    rig.seat.settle();
    rig.seat.restart();
    rig.now -= 60_000;
    const after = rig.call(act(alice, 'id'));
    rig.seat.settle();
    expect(rig.valueOf(after) as bigint).toBeGreaterThan(rig.valueOf(before) as bigint);
  });

  test('ids of a slot that has given none yet carry the time of now, not of a busier neighbour', () => {
    const neighbour = playerOf(0, 1, 3);
    for (let commit = 0; commit < 50; commit += 1) {
      rig.call(act(playerOf(0, 1, 10 + commit), 'id'));
      rig.scripts.define('touch', (turn) => turn.put(notes, [turn.self.key, 1], 'x'));
      rig.call(act(alice, 'touch'));
      rig.seat.settle();
    }
    const call = rig.call(act(neighbour, 'id'));
    rig.seat.settle();
    expect(Number((rig.valueOf(call) as bigint) >> 16n)).toBe(rig.now);
  });
});

describe('closing', () => {
  test('commits what has run, refuses what has not, and takes nothing more', async () => {
    const ran = rig.call(act(alice, 'write', 'ran'));
    rig.seat.run();
    const waiting = rig.call(act(alice, 'write', 'waiting'));
    const closed = rig.seat.partition.close();
    const late = rig.call(act(alice, 'write', 'late'));
    rig.seat.settle();
    await closed;
    expect(rig.refusalOf(ran)).toBeUndefined();
    expect(rig.repliesTo(ran)).toHaveLength(1);
    for (const call of [waiting, late]) expect(rig.refusalOf(call)).toBe('overloaded');
    expect(rig.seat.disk.get(notes, [alice, 1])).toBe('ran');
  });

  test('a closed partition appends nothing, whatever still arrives', async () => {
    rig = new Rig(2);
    const bob = playerOf(1, 2);
    rig.scripts.define('tell bob', (turn) => turn.tell(hear(bob, 'note')));
    rig.scripts.define('note', (turn) => turn.put(notes, [bob, 1], 'heard'));
    rig.scripts.define('want', (turn) => turn.effect(Fetch, { what: 'page' }, Player.answered));
    rig.call(act(playerOf(0, 2), 'tell bob'));
    rig.call(act(bob, 'want'));
    for (const seat of rig.seats) seat.settle();
    const receiver = rig.seats[1]!;
    const closed = receiver.partition.close();
    receiver.settle();
    await closed;
    rig.deliver();
    receiver.partition.effectAnswered(1, 'answer');
    receiver.partition.wake();
    receiver.run();
    expect(receiver.log.waiting).toBe(0);
    receiver.restart();
    rig.pass(2_000);
    rig.settle();
    expect(receiver.disk.get(notes, [bob, 1])).toBe('heard');
  });
});

describe('a durable message that throws', () => {
  test('is put aside with its error in the commit that takes it, and is not tried again', () => {
    rig = new Rig(2);
    const bob = playerOf(1, 2);
    rig.scripts.define('tell bob', (turn) => turn.tell(hear(bob, 'fall')));
    rig.scripts.define('fall', (turn) => {
      turn.put(notes, [bob, 1], 'trace');
      throw new Error('over the edge');
    });
    rig.call(act(playerOf(0, 2), 'tell bob'));
    rig.settle();
    const receiver = rig.seats[1]!;
    receiver.restart();
    rig.pass(5_000);
    rig.settle();
    const letters = [...receiver.disk.range(deadLetters, [])];
    expect(letters).toHaveLength(1);
    expect(letters[0]!.value).toMatchObject({ at: rig.now - 5_000, error: 'player.hear: over the edge' });
    expect(letters[0]!.value.message.slice(0, 5)).toEqual([
      200,
      bob,
      2,
      { script: 'fall', argument: undefined },
      'account:1',
    ]);
    expect(receiver.disk.get(notes, [bob, 1])).toBeUndefined();
  });

  test('also when a caller waits for it: the caller hears of it', () => {
    rig = new Rig(2);
    const bob = playerOf(1, 2);
    rig.scripts.define('ask bob', (turn) => turn.delegateReply(act(bob, 'fall')));
    rig.scripts.define('fall', () => {
      throw new Error('over the edge');
    });
    const call = rig.call(act(playerOf(0, 2), 'ask bob'));
    rig.settle();
    expect(rig.refusalOf(call)).toBe('internal');
    expect([...rig.seats[1]!.disk.range(deadLetters, [])]).toHaveLength(1);
  });

  test('a call that throws is answered and not kept', () => {
    rig.scripts.define('fall', () => {
      throw new Error('over the edge');
    });
    const call = rig.call(act(alice, 'fall'));
    rig.seat.settle();
    expect(rig.refusalOf(call)).toBe('internal');
    expect([...rig.seat.disk.range(deadLetters, [])]).toEqual([]);
  });

  test('a message that nobody handles any more is put aside as well', () => {
    rig.scripts.define('tell', (turn) => {
      turn.tell({ ...hear(alice, 'x'), message: 99 });
      turn.tell(Stage.hear.to(0n, { script: 'write', argument: 'from the stage' }));
    });
    rig.call(act(alice, 'tell'));
    rig.seat.settle();
    expect([...rig.seat.disk.range(deadLetters, [])].map(({ value }) => value.error)).toEqual([
      expect.stringContaining('player.99'),
      expect.stringContaining('stage 0 cannot reach these notes'),
    ]);
  });
});

test('a partition that could not write says so, and whoever asks has it tried again until it can', () => {
  const condition = () => rig.seat.partition.control(conditionName, {}) as PartitionCondition;
  const canWrite = () => condition().canWrite;
  rig.call(act(alice, 'write', 'lost'));
  rig.seat.run();
  expect(canWrite()).toBe(true);
  rig.seat.run();
  rig.seat.lose(0);
  const rest = () => {
    rig.elapse(partitionLimits.failurePauseMillisecondsMax);
    if (rig.seat.wakeAt !== undefined) rig.seat.wake();
    rig.seat.run();
  };
  for (let time = 0; time < 3; time += 1) {
    expect(canWrite()).toBe(false);
    rest();
    rig.seat.lose(0);
  }
  expect(canWrite()).toBe(false);
  rig.elapse(partitionLimits.failurePauseMillisecondsMax / 2);
  if (rig.seat.wakeAt !== undefined) rig.seat.wake();
  rig.seat.settle();
  // At once: what works now and what failed lately are told apart.
  expect(condition()).toMatchObject({ canWrite: true, hasFailedLately: true });
  rig.elapse(partitionLimits.failureShownMilliseconds);
  expect(condition()).toMatchObject({ canWrite: true, hasFailedLately: false });
  expect(read()).toBeUndefined();
});
