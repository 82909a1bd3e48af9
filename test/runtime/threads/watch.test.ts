/** Which threads the watchdog replaces: those that hang in time they could have used, not those without a processor. */
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { threadLimits } from '../../../src/runtime/limits.ts';
import { PoisonList } from '../../../src/runtime/threads/poison.ts';
import { Pulse } from '../../../src/runtime/threads/pulse.ts';
import { ownThreadId, type Scheduler, systemScheduler } from '../../../src/runtime/threads/scheduler.ts';
import { TurnWatchReader, TurnWatchWriter } from '../../../src/runtime/threads/turn-watch.ts';
import { noSilence, ThreadWatch, type Watched } from '../../../src/runtime/threads/watch.ts';
import { until } from '../../support/until.ts';

const { watchMilliseconds } = threadLimits;
const [ownerId, helperId] = [11, 12];

/** What a thread does in each second: the rest of it, it sleeps. */
interface Habit {
  readonly runs?: number;
  readonly waits?: number;
  readonly beats?: boolean;
}

/** An owner and a thread of V8 beside it, in virtual time. */
class Machine {
  readonly messages: string[] = [];
  readonly poison = new PoisonList({
    store: { load: () => [], save: () => undefined },
    now: () => 0,
    changed: () => undefined,
    report: () => undefined,
  });
  readonly record = new TurnWatchReader(threadLimits.turnMilliseconds, this.poison);
  private readonly watch: ThreadWatch<Watched>;
  private readonly times = new Map<number, { ranMilliseconds: number; waitedMilliseconds: number }>();
  private readonly beats: Int32Array;
  private habit: Habit = {};
  private clock = 0;
  private isReplaced = false;

  constructor(scheduler: 'with' | 'without' = 'with') {
    const pulse = new Pulse();
    this.beats = new Int32Array(pulse.memory);
    this.beats[1] = ownerId;
    for (const id of [ownerId, helperId]) this.times.set(id, { ranMilliseconds: 1, waitedMilliseconds: 0 });
    const { record } = this;
    const thread: Watched = {
      title: 'owner thread 0',
      pulse,
      record,
      isReady: true,
      isSilent: false,
      silence: noSilence,
    };
    const known: Scheduler = {
      timesOf: (id) => ({ ...this.times.get(id)! }),
      isRunnable: () => (this.habit.runs ?? 0) + (this.habit.waits ?? 0) === 1,
      threadIds: () => [...this.times.keys()],
    };
    this.watch = new ThreadWatch({
      limits: threadLimits,
      scheduler: scheduler === 'with' ? known : undefined,
      now: () => this.clock,
      threads: () => (this.isReplaced ? [] : [thread]),
      report: ({ message }) => void this.messages.push(message),
      hangs: () => {
        this.isReplaced = true;
      },
    });
  }

  /** Lets both go on for so many seconds, or until the owner is replaced. Returns after how many seconds it was. */
  live(seconds: number, owner: Habit, helper: Habit = {}, lookMilliseconds: number = watchMilliseconds) {
    this.habit = owner;
    for (let passed = lookMilliseconds; passed <= seconds * 1_000; passed += lookMilliseconds) {
      this.clock += lookMilliseconds;
      this.pass(ownerId, owner, lookMilliseconds);
      this.pass(helperId, helper, lookMilliseconds);
      if (owner.beats === true) this.beats[0]! += 1;
      this.watch.look();
      if (this.isReplaced) return passed / 1_000;
    }
    return undefined;
  }

  /** Nothing happens for so long, the supervisor included. */
  standStill(seconds: number) {
    this.clock += seconds * 1_000;
    this.watch.look();
  }

  private pass(id: number, { runs = 0, waits = 0 }: Habit, milliseconds: number) {
    const times = this.times.get(id)!;
    times.ranMilliseconds += runs * milliseconds;
    times.waitedMilliseconds += waits * milliseconds;
  }
}

const starving = { runs: 0.02, waits: 0.98 };

describe('a thread without a heartbeat is replaced', () => {
  test.each<[string, Habit, Habit, number]>([
    ['after five seconds when it runs all the time', { runs: 1 }, {}, 5],
    ['after five seconds when it sleeps', {}, {}, 5],
    [
      'after five seconds of its own when others have the processor half of the time',
      { runs: 0.5, waits: 0.5 },
      {},
      10,
    ],
    ['when it has used five seconds, however long that takes', starving, {}, 240.2],
    [
      'later when it sleeps and may wait for a thread that gets a quarter of what it asks for',
      {},
      { runs: 0.25, waits: 0.75 },
      18.8,
    ],
  ])('%s', (_what, owner, helper, seconds) => {
    const machine = new Machine();
    expect(machine.live(seconds * 2, owner, helper)).toBeCloseTo(seconds, 0);
    expect(machine.messages.at(-1)).toBe('owner thread 0 hangs and is replaced');
  });

  test.each<[string, Habit]>([
    ['runs', { runs: 1 }],
    ['waits for a processor', starving],
    ['sleeps', {}],
  ])('after five seconds where the system tells nothing, whether it %s', (_what, owner) => {
    expect(new Machine('without').live(20, owner)).toBe(5);
  });

  test('and reported before, also when all of that has passed since the last look', () => {
    const machine = new Machine();
    machine.live(20, { runs: 1 }, {}, 6_000);
    expect(machine.messages.slice(-2)).toEqual([
      'owner thread 0 has not answered for 6.0 s',
      'owner thread 0 hangs and is replaced',
    ]);
  });

  test('by its own time also when the supervisor starves beside it', () => {
    const machine = new Machine();
    expect(machine.live(20, { runs: 0.5, waits: 0.5 }, {}, 2_000)).toBe(12);
  });
});

describe('a thread is not replaced', () => {
  test('while it gets no processor', () => {
    const machine = new Machine();
    expect(machine.live(300, { waits: 1 })).toBeUndefined();
    expect(machine.live(1, { runs: 0.5, beats: true })).toBeUndefined();
    expect(machine.messages.slice(0, 2)).toEqual(
      Array(2).fill(
        expect.stringMatching(/^owner thread 0 has waited for a processor for \d+\.0 s: the machine is overloaded$/),
      ),
    );
    // Once a minute.
    expect(machine.messages).toHaveLength(5);
  });

  test.each<[string, 'with' | 'without']>([
    ['told by the system', 'with'],
    ['not told by the system', 'without'],
  ])('for the time in which everything stood still, %s', (_what, scheduler) => {
    const machine = new Machine(scheduler);
    machine.live(4, {});
    for (let count = 0; count < 10; count += 1) machine.standStill(60);
    expect(machine.messages.slice(1)).toEqual(
      Array(10).fill('the process was suspended or had no processor for 60.0 s: no thread is replaced because of that'),
    );
    machine.live(1, { beats: true });
    expect(machine.messages.at(-1)).toBe('owner thread 0 answers again');
    expect(machine.live(4, {})).toBeUndefined();
  });
});

describe('a message', () => {
  function running(): Machine {
    const machine = new Machine();
    const writer = new TurnWatchWriter(machine.record.start(), () => undefined);
    writer.begin({ to: 'account:alice', from: undefined, message: 1, body: new Uint8Array() } as never);
    machine.live(0.2, { beats: true });
    return machine;
  }

  test('that uses five seconds is not run again', () => {
    const machine = running();
    expect(machine.live(20, { runs: 0.5, waits: 0.5 })).toBeCloseTo(10, 0);
    expect(machine.messages.at(-1)).toBe('owner thread 0 hangs in a turn and is replaced');
    expect(machine.poison.list()).toHaveLength(1);
  });

  test('whose thread gets no processor is run to its end', () => {
    const machine = running();
    expect(machine.live(100, { waits: 1 })).toBeUndefined();
    expect(machine.poison.list()).toEqual([]);
  });
});

describe('what the system tells', () => {
  test('of a thread that runs, of one that sleeps, and of one that has ended', async () => {
    const scheduler = systemScheduler()!;
    const own = ownThreadId();
    expect(scheduler.threadIds()).toContain(own);
    expect(scheduler.isRunnable(own)).toBe(true);
    const before = scheduler.timesOf(own)!.ranMilliseconds;
    await until(() => scheduler.timesOf(own)!.ranMilliseconds > before + 5);
    const sleeper = new Worker(
      `require('node:worker_threads').parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self'));
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
      { eval: true },
    );
    onTestFinished(() => void sleeper.terminate());
    const link: string = await new Promise((resolve) => sleeper.once('message', resolve));
    const id = Number(link.split('/').at(-1));
    await until(() => !scheduler.isRunnable(id));
    expect(scheduler.timesOf(id)!.ranMilliseconds).toBeGreaterThan(0);
    await sleeper.terminate();
    await until(() => scheduler.timesOf(id) === undefined);
    expect(scheduler.isRunnable(id)).toBe(false);
  });
});
