/** Effects: run after the commit, stored until answered, repeated if needed, answered once. */
import { beforeEach, describe, expect, test } from 'vitest';
import { requestsOfEffects } from '../../src/runtime/effect-requests.ts';
import { runnerOf } from '../../src/runtime/effects.ts';
import { lettersOf } from '../../src/runtime/letters.ts';
import { partitionLimits } from '../../src/runtime/limits.ts';
import { deadLetters, effects } from '../../src/runtime/storage/machine.ts';
import { act, Fetch, hear, notes, Player, playerOf } from './support/players.ts';
import { Rig } from './support/rig.ts';

const alice = playerOf(0, 1);

let rig: Rig;

beforeEach(() => {
  rig = new Rig();
  rig.scripts.define('fetch', (turn, what) => turn.effect(Fetch, { what: what as string }, Player.answered));
  rig.scripts.define('answered', (turn, answer) => {
    const before = turn.get(notes, [alice, 0]) ?? '';
    turn.put(notes, [alice, 0], `${before}${answer}`);
  });
});

function answers(): string | undefined {
  return rig.seat.disk.get(notes, [alice, 0]);
}

test('an effect runs after the commit of its turn', () => {
  rig.call(act(alice, 'fetch', 'page'));
  rig.seat.run();
  expect(rig.seat.effects).toEqual([]);
  rig.seat.log.complete();
  expect(rig.seat.effects).toMatchObject([{ sequence: 1, effect: Fetch.number, request: { what: 'page' } }]);
});

test('its answer is a message to the actor that asked, once, however often it comes', () => {
  rig.call(act(alice, 'fetch', 'page'));
  rig.seat.settle();
  rig.seat.partition.effectAnswered(1, 'A');
  rig.seat.partition.effectAnswered(1, 'B');
  rig.seat.settle();
  rig.seat.partition.effectAnswered(1, 'C');
  rig.seat.settle();
  expect(answers()).toBe('A');
  expect([...rig.seat.disk.range(effects, [])]).toEqual([]);
});

test('an answer to a question that nobody asked is dropped', () => {
  rig.seat.partition.effectAnswered(77, 'A');
  rig.seat.settle();
  expect(answers()).toBeUndefined();
  expect(rig.seat.partition.isSettled).toBe(true);
});

test('a restart asks again what was not answered, and not what was', () => {
  for (const what of ['one', 'two', 'three']) rig.call(act(alice, 'fetch', what));
  rig.seat.settle();
  rig.seat.partition.effectAnswered(2, 'A');
  rig.seat.settle();
  rig.seat.effects.splice(0);
  rig.seat.restart();
  rig.seat.run();
  expect(rig.seat.effects.map(({ sequence }) => sequence)).toEqual([1, 3]);
  rig.seat.partition.effectAnswered(3, 'C');
  rig.seat.partition.effectAnswered(1, 'B');
  rig.seat.settle();
  expect(answers()).toBe('ACB');
});

test('an answer whose commit was lost is asked for again and runs once', () => {
  rig.call(act(alice, 'fetch', 'page'));
  rig.seat.settle();
  rig.seat.partition.effectAnswered(1, 'A');
  rig.seat.run();
  rig.seat.restart();
  rig.seat.run();
  expect(rig.seat.effects.map(({ sequence }) => sequence)).toEqual([1, 1]);
  rig.seat.partition.effectAnswered(1, 'A');
  rig.seat.settle();
  expect(answers()).toBe('A');
});

test('a new effects thread is asked for what is committed and open, never for what is not committed', () => {
  rig.call(act(alice, 'fetch', 'committed'));
  rig.call(act(alice, 'fetch', 'answered'));
  rig.seat.settle();
  rig.call(act(alice, 'fetch', 'in flight'));
  rig.seat.run();
  rig.call(act(alice, 'fetch', 'filling'));
  rig.seat.partition.effectAnswered(2, 'A');
  rig.seat.run();
  rig.seat.effects.splice(0);
  rig.seat.partition.repeatEffects(() => true);
  rig.seat.run();
  expect(rig.seat.effects.map(({ request }) => request)).toEqual([{ what: 'committed' }]);
  rig.seat.settle();
  expect(rig.seat.effects.map(({ request }) => request)).toEqual([
    { what: 'committed' },
    { what: 'in flight' },
    { what: 'filling' },
  ]);
});

describe('after an append that failed', () => {
  const failAppends = (count: number) => {
    for (let failure = 0; failure < count; failure += 1) {
      rig.call(act(alice, 'write'));
      rig.seat.run();
      rig.seat.lose(0);
      rig.pass(partitionLimits.failurePauseMillisecondsMax);
      rig.seat.run();
    }
  };

  beforeEach(() => {
    rig.scripts.define('write', (turn) => turn.put(notes, [alice, 1], 'x'));
    for (let number = 0; number < 50; number += 1) rig.call(act(alice, 'fetch', `${number}`));
    rig.seat.settle();
    rig.seat.effects.splice(0);
  });

  test('nothing that still runs is run again', () => {
    failAppends(10);
    rig.seat.settle();
    expect(rig.seat.effects).toEqual([]);
  });

  test.each([
    ['lost', false],
    ['applied all the same', true],
  ])('an answer whose batch was %s counts once, and the outside world is asked nothing again', (_, applied) => {
    rig.seat.partition.effectAnswered(2, 'A');
    rig.seat.run();
    rig.seat.partition.effectAnswered(3, 'B');
    rig.seat.run();
    rig.seat.lose(applied ? 1 : 0);
    rig.seat.settle();
    expect([answers(), rig.seat.effects]).toEqual(['AB', []]);
    expect([...rig.seat.disk.range(effects, [])]).toHaveLength(48);
  });
});

describe('a runner that fails', () => {
  const left = () => [...rig.seat.disk.range(effects, [])].length;

  /** When it runs, in seconds, while it fails each time. */
  function runTimes(): number[] {
    const times: number[] = [];
    for (let second = 0; second < 3_600; second += 1) {
      for (const { sequence } of rig.seat.effects.splice(0)) {
        times.push(second);
        rig.seat.partition.effectFailed(sequence, 'it fell');
        rig.seat.partition.effectFailed(sequence, 'it fell, says an echo');
      }
      rig.seat.settle();
      rig.pass(1_000);
      rig.seat.settle();
    }
    return times;
  }

  test('by never settling runs again as well, and in the end becomes a dead letter', () => {
    rig.call(act(alice, 'fetch', 'page'));
    rig.seat.settle();
    rig.pass(partitionLimits.effectSilenceMilliseconds - 1);
    rig.seat.settle();
    expect(rig.seat.effects).toHaveLength(1);
    const day = 24 * 60;
    for (let minute = 0; minute < day; minute += 1) {
      rig.pass(60_000);
      rig.seat.settle();
    }
    expect([rig.seat.effects.length, left()]).toEqual([partitionLimits.effectAttemptsMax, 0]);
    const repeated = partitionLimits.effectAttemptsMax - 1;
    expect(rig.seat.partition.load).toMatchObject({ effectsPending: 0, effectsRepeated: repeated });
    const [letter] = [...rig.seat.disk.range(deadLetters, [])];
    expect(letter!.value.error).toContain('its runner has not answered');
  });

  test('runs again after pauses that double, and in the end becomes a dead letter', () => {
    rig.call(act(alice, 'fetch', 'page'));
    rig.seat.settle();
    const asked = () => Array.from(requestsOfEffects(rig.seat.disk), ({ request }) => request);
    expect(asked()).toMatchObject([{ what: 'page' }]);
    expect(runTimes()).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511]);
    const [letter] = lettersOf(rig.seat.disk);
    expect(letter).toMatchObject({ error: 'effect 1: it fell', effect: { request: { what: 'page' } } });
    expect([left(), answers()]).toEqual([0, undefined]);
    expect(asked()).toMatchObject([{ what: 'page' }]);
  });

  test('whose letter is sent again runs again, and may succeed', () => {
    rig.call(act(alice, 'fetch', 'page'));
    rig.seat.settle();
    runTimes();
    rig.orderLetters(0, { what: 'retry', sequences: [1] });
    rig.seat.settle();
    const [again] = rig.seat.effects;
    expect(again).toMatchObject({ request: { what: 'page' } });
    rig.seat.partition.effectAnswered(again!.sequence, 'A');
    rig.seat.settle();
    expect([answers(), left(), [...lettersOf(rig.seat.disk)]]).toEqual(['A', 0, []]);
  });

  test('once is answered like any other', () => {
    rig.call(act(alice, 'fetch', 'page'));
    rig.seat.settle();
    rig.seat.partition.effectFailed(1, 'it fell');
    rig.pass(1_000);
    rig.seat.settle();
    expect(rig.seat.effects.map(({ sequence }) => sequence)).toEqual([1, 1]);
    rig.seat.partition.effectAnswered(1, 'A');
    rig.pass(600_000);
    rig.seat.settle();
    expect([answers(), rig.seat.effects.length]).toEqual(['A', 2]);
  });
});

describe.each([
  ['back', -3_600_000],
  ['ahead', 3_600_000],
])('while the wall clock is set %s an hour', (_where, jump) => {
  const { effectRetryMilliseconds, effectSilenceMilliseconds } = partitionLimits;
  const countAfter = (milliseconds: number): number => {
    rig.pass(milliseconds);
    rig.seat.settle();
    return rig.seat.effects.length;
  };

  test('an effect whose runner failed runs again after its pause', () => {
    rig.call(act(alice, 'fetch', 'page'));
    rig.seat.settle();
    rig.seat.partition.effectFailed(1, 'it fell');
    rig.seat.settle();
    rig.now += jump;
    expect([countAfter(effectRetryMilliseconds - 1), countAfter(1)]).toEqual([1, 2]);
  });

  test('a runner is given its time', () => {
    rig.call(act(alice, 'fetch', 'page'));
    rig.seat.settle();
    rig.now += jump;
    expect([countAfter(effectSilenceMilliseconds - 1), countAfter(1 + effectRetryMilliseconds)]).toEqual([1, 1]);
    expect(countAfter(effectRetryMilliseconds)).toBe(2);
  });
});

test('a network thread that was replaced is asked for its own effects only', () => {
  const bob = playerOf(0, 1, 1);
  rig.scripts.define('answered', () => undefined);
  for (const player of [alice, bob, alice]) rig.call(act(player, 'fetch', `for ${player}`));
  rig.seat.settle();
  rig.seat.effects.splice(0);
  rig.seat.partition.repeatEffects((asker) => asker === bob);
  rig.seat.settle();
  expect(rig.seat.effects.map(({ request }) => request)).toEqual([{ what: `for ${bob}` }]);
});

describe('many effects whose network thread was replaced', () => {
  const count = 1_000;

  beforeEach(() => {
    rig.scripts.define('fetch many', (turn) => {
      for (let number = 0; number < count; number += 1) turn.effect(Fetch, { what: 'x' }, Player.answered);
    });
    rig.scripts.define('answered', () => undefined);
    rig.call(act(alice, 'fetch many'));
    rig.seat.settle();
  });

  /** Those that are asked for from now on; each takes a millisecond. The script `look` counts them. */
  function slowEffects(): typeof rig.seat.effects {
    const { effects: asked } = rig.seat;
    asked.splice(0);
    asked.push = (...runs) => {
      rig.elapse(1);
      return Array.prototype.push.apply(asked, runs);
    };
    rig.scripts.define('look', () => asked.length);
    return asked;
  }

  test('are asked for again in slices, all of them once and in their order, and calls run in between', () => {
    const asked = slowEffects();
    rig.seat.partition.repeatEffects(() => true);
    const look = rig.call(act(playerOf(0, 1, 1), 'look'));
    rig.seat.settle();
    expect(rig.valueOf(look)).toBeLessThan(20);
    expect(asked.map(({ sequence }) => sequence)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(rig.seat.partition.isSettled).toBe(true);
  });

  test('or that a start finds, are asked for in slices too', () => {
    rig.seat.restart();
    const asked = slowEffects();
    const look = rig.call(act(playerOf(0, 1, 1), 'look'));
    rig.seat.settle();
    expect(rig.valueOf(look)).toBeLessThan(20);
    expect(asked.map(({ sequence }) => sequence)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(rig.seat.partition.isSettled).toBe(true);
  });

  test('and of which some are answered or replaced again meanwhile are asked for once each', () => {
    const { effects: asked } = rig.seat;
    asked.splice(0);
    rig.seat.partition.repeatEffects(() => true);
    rig.seat.partition.repeatEffects(() => true);
    rig.seat.partition.effectAnswered(3, 'A');
    rig.seat.partition.effectFailed(4, 'its runner is gone');
    rig.seat.settle();
    const others = Array.from({ length: count }, (_, index) => index + 1).filter((sequence) => sequence !== 3);
    expect(asked.map(({ sequence }) => sequence)).toEqual(others);
    rig.pass(partitionLimits.effectRetryMilliseconds);
    rig.seat.settle();
    expect(asked).toHaveLength(count - 1);
  });

  test('are all asked for again though the storage cannot be read at first', () => {
    const { effects: asked } = rig.seat;
    asked.splice(0);
    let left = 2;
    rig.seat.log.failReads(() => {
      left -= 1;
      return left >= 0;
    });
    rig.seat.partition.repeatEffects(() => true);
    for (let second = 0; second < 10; second += 1) {
      rig.seat.settle();
      rig.pass(1_000);
    }
    expect(asked.map(({ sequence }) => sequence)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(rig.seat.problems).toHaveLength(2);
  });
});

test('so many effects run at a time, in the order of their asking; the others wait on disk', () => {
  const count = partitionLimits.effectsUnderWayMax + 500;
  rig.scripts.define('fetch many', (turn, many) => {
    for (let number = 0; number < (many as number); number += 1) turn.effect(Fetch, { what: 'x' }, Player.answered);
  });
  rig.scripts.define('answered', () => undefined);
  for (const many of [4_000, count - 4_000]) rig.call(act(alice, 'fetch many', many));
  rig.seat.settle();
  expect(rig.seat.partition.load.effectsPending).toBe(count);
  const run: number[] = [];
  while (rig.seat.effects.length > 0) {
    expect(rig.seat.effects.length).toBeLessThanOrEqual(partitionLimits.effectsUnderWayMax);
    for (const { sequence } of rig.seat.effects.splice(0)) {
      run.push(sequence);
      rig.seat.partition.effectAnswered(sequence, 'A');
    }
    rig.seat.settle();
  }
  expect(run).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  expect([...rig.seat.disk.range(effects, [])]).toEqual([]);
  expect(rig.seat.partition.load).toMatchObject({ effectsPending: 0, effectsRepeated: 0 });
});

test('a runner checks each request, which an earlier version may have stored', async () => {
  const [number, run] = runnerOf(Fetch, ({ what }) => Promise.resolve(`read ${what}`));
  expect([number, await run({ what: 'page' })]).toEqual([Fetch.number, 'read page']);
  await expect(run({ page: 'page' })).rejects.toThrow('what');
});

test('the answer belongs to the flow of the turn that asked', () => {
  rig.scripts.define('answered', (turn) => turn.put(notes, [alice, 1], turn.flow));
  rig.call(act(alice, 'fetch', 'page'), 'domain:social.example');
  rig.seat.settle();
  rig.seat.partition.effectAnswered(1, 'A');
  rig.seat.settle();
  expect(rig.seat.disk.get(notes, [alice, 1])).toBe('domain:social.example');
});

test('flows are inherited by messages and timers', () => {
  rig.scripts.define('pass on', (turn) => {
    turn.tell(hear(alice, 'note flow', 1));
    turn.schedule(turn.now + 10, hear(alice, 'note flow', 2));
  });
  rig.scripts.define('note flow', (turn, position) => turn.put(notes, [alice, position as number], turn.flow));
  rig.call(act(alice, 'pass on'), 'domain:social.example');
  rig.seat.settle();
  rig.pass(10);
  rig.seat.settle();
  expect([1, 2].map((position) => rig.seat.disk.get(notes, [alice, position]))).toEqual([
    'domain:social.example',
    'domain:social.example',
  ]);
});
