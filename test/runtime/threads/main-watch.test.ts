/** The watch over the main thread: when it is reported, and when the process ends. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { threadLimits } from '../../../src/runtime/limits.ts';
import { allocateMainWatchState, MainWatch } from '../../../src/runtime/threads/main-watch.ts';
import { Pulse } from '../../../src/runtime/threads/pulse.ts';
import type { Scheduler } from '../../../src/runtime/threads/scheduler.ts';
import { builtEntry } from '../../support/built.ts';
import { until } from '../../support/until.ts';

const entry = builtEntry(new URL('./fixtures/toy-entry.ts', import.meta.url));
const hangingProcess = builtEntry(new URL('./fixtures/hanging-main-process.ts', import.meta.url));

const { watchMilliseconds, silenceReportedMilliseconds } = threadLimits;
const mainId = 11;
const answersAgain = 'the main thread answers again.';
const hangs = 'the main thread hangs: the process ends, and nothing that was acknowledged is lost.';
const silentLine = /^the main thread has not answered for 1\.\d s\.$/;

/** What the main thread does in each second: the rest of it, it sleeps. */
interface Habit {
  readonly runs?: number;
  readonly waits?: number;
  readonly beats?: boolean;
}

/** A main thread that two others watch, in virtual time. */
class Machine {
  readonly lines: string[] = [];
  ends = 0;
  asks = 0;
  private readonly watches: readonly MainWatch[];
  private readonly standing = new Set<MainWatch>();
  private readonly times = { ranMilliseconds: 1, waitedMilliseconds: 0 };
  private readonly words: Int32Array;
  private habit: Habit = {};
  private clock = 0;

  /** `place`: where the main thread hangs; undefined when it does not tell. `reports`: whether somebody reads them. */
  constructor(
    system: 'tells' | 'tells nothing' = 'tells',
    { place, reads = true }: { readonly place?: string; readonly reads?: boolean } = {},
  ) {
    const { memory: pulse } = new Pulse();
    const state = allocateMainWatchState();
    this.words = new Int32Array(pulse);
    this.words[1] = mainId;
    const scheduler: Scheduler = {
      timesOf: () => ({ ...this.times }),
      isRunnable: () => (this.habit.runs ?? 0) + (this.habit.waits ?? 0) === 1,
      threadIds: () => [mainId],
    };
    const create = () =>
      new MainWatch({
        ...{ pulse, state, limits: threadLimits, now: () => this.clock },
        scheduler: system === 'tells' ? scheduler : undefined,
        report: (line) => {
          this.lines.push(line);
          if (!reads && line.startsWith(hangs)) throw new Error('the thread stands still');
        },
        askPlace: (tell) => {
          this.asks += 1;
          if (place !== undefined) tell(place);
        },
        end: () => {
          this.ends += 1;
        },
      });
    this.watches = [create(), create(), create()];
  }

  /** Returns after how many seconds the process ended. */
  live(seconds: number, habit: Habit): number | undefined {
    this.habit = habit;
    for (let passed = watchMilliseconds; passed <= seconds * 1_000; passed += watchMilliseconds) {
      this.clock += watchMilliseconds;
      this.times.ranMilliseconds += (habit.runs ?? 0) * watchMilliseconds;
      this.times.waitedMilliseconds += (habit.waits ?? 0) * watchMilliseconds;
      if (habit.beats === true) this.words[0]! += 1;
      this.look();
      if (this.ends > 0) return passed / 1_000;
    }
    return undefined;
  }

  /** Nothing happens for so long. */
  standStill(seconds: number): void {
    this.clock += seconds * 1_000;
    this.look();
  }

  private look(): void {
    for (const watch of this.watches) {
      if (this.standing.has(watch)) continue;
      try {
        watch.look();
      } catch {
        this.standing.add(watch);
      }
    }
  }
}

describe('the process ends, once', () => {
  test.each<[string, Habit, number]>([
    ['after five seconds when the main thread runs all the time', { runs: 1 }, 5],
    ['after five seconds of its own when others have the processor too', { runs: 0.5, waits: 0.5 }, 10],
    ['later when it sleeps: it may wait for a disk', {}, 60],
  ])('%s', (_what, habit, seconds) => {
    const machine = new Machine('tells', { place: '    at loop' });
    machine.live(1, { runs: 0.1, beats: true });
    const after = machine.live(seconds * 2, habit)!;
    expect(after - seconds).toBeLessThanOrEqual(0.4);
    expect(after - seconds).toBeGreaterThanOrEqual(0);
    expect(machine.lines).toEqual([expect.stringMatching(silentLine), `${hangs} It hung here:\n    at loop`]);
    machine.live(0.4, habit);
    expect([machine.ends, machine.asks]).toEqual([1, 1]);
  });

  test('a second later when the main thread does not tell where it hangs, though it beats again', () => {
    const machine = new Machine();
    machine.live(1, { runs: 0.1, beats: true });
    machine.live(5.5, { runs: 1 });
    expect([machine.ends, machine.asks]).toEqual([0, 1]);
    expect(machine.live(2, { runs: 1, beats: true })).toBeLessThanOrEqual(1);
    expect(machine.lines.at(-1)).toBe(`${hangs} It hung outside of JavaScript.`);
  });

  test('and has that second also when it gets no processor in between', () => {
    const machine = new Machine();
    machine.live(1, { runs: 0.1, beats: true });
    machine.live(5.5, { runs: 1 });
    machine.standStill(60);
    expect([machine.ends, machine.asks]).toEqual([0, 1]);
    expect(machine.live(2, { runs: 1 })).toBeLessThanOrEqual(1);
    expect(machine.lines.at(-1)).toBe(`${hangs} It hung outside of JavaScript.`);
  });

  test('by another thread when nobody reads what the one that asked has to say', () => {
    const machine = new Machine('tells', { place: '    at loop', reads: false });
    machine.live(1, { runs: 0.1, beats: true });
    const after = machine.live(10, { runs: 1 })!;
    expect(after).toBeGreaterThan(6);
    expect(after).toBeLessThanOrEqual(7.4);
    expect(machine.asks).toBe(1);
  });

  test('later where the system does not tell whether it runs or waits for a processor', () => {
    expect(new Machine('tells nothing', { place: '    at loop' }).live(100, { runs: 1 })).toBe(60);
  });
});

describe('the process goes on', () => {
  test('when the main thread was silent for a while', () => {
    const machine = new Machine();
    for (let time = 0; time < 2; time += 1) {
      machine.live(4.5, { runs: 1 });
      machine.live(1, { runs: 0.1, beats: true });
    }
    const silent = expect.stringMatching(silentLine);
    expect([machine.lines, machine.ends]).toEqual([[silent, answersAgain, silent, answersAgain], 0]);
  });

  test.each<[string, 'tells' | 'tells nothing']>([
    ['tells', 'tells'],
    ['tells nothing', 'tells nothing'],
  ])('when it was suspended again and again, and the system %s', (_what, system) => {
    const machine = new Machine(system);
    machine.live(0.5, {});
    for (let count = 0; count < 100; count += 1) machine.standStill(60);
    expect([machine.lines, machine.ends]).toEqual([[], 0]);
  });

  test('while the main thread gets no processor', () => {
    const machine = new Machine();
    expect(machine.live(300, { waits: 1 })).toBeUndefined();
    expect(machine.lines).toEqual([]);
  });
});

/** What tells it on a busy machine may take as long as that; what never tells it is waited for as usual. */
const [patient, usual] = [25_000, threadLimits.mainPlaceMilliseconds];

test.each([
  ['loops', patient, / It hung here:\n(?: {4}at .*\n)*? {4}at hang \(file:.*hanging-main-process-\d+\.mjs:\d+\)\n/],
  ['waits', patient, / It hung here:\n(?: {4}at .*\n)*? {4}at hang \(file:.*hanging-main-process-\d+\.mjs:\d+\)\n/],
  ['opens a pipe that nobody writes to', usual, / It hung outside of JavaScript\.\n/],
])('a process whose main thread %s for ever says so, and where, and ends', async (how, mainPlaceMilliseconds, place) => {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-main-'));
  const journal = join(folder, 'journal');
  writeFileSync(journal, '');
  const limits = JSON.stringify({
    mainSilenceMilliseconds: silenceReportedMilliseconds,
    mainSleepMilliseconds: silenceReportedMilliseconds,
    mainPlaceMilliseconds,
  });
  const given = [hangingProcess.pathname, entry.href, journal, limits, how];
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  let end: readonly unknown[] | undefined;
  child.once('close', (code, signal) => {
    end = [code, signal];
  });
  expect(await until(() => end, { description: 'the process ends' })).toEqual([null, 'SIGKILL']);
  expect(said).toMatch(
    /^Murmuration: the main thread has not answered for \d\.\d s\.\nMurmuration: the main thread hangs: the process ends, and nothing that was acknowledged is lost\. /m,
  );
  expect(said).toMatch(place);
});
