/**
 * The watch over the main thread, kept by all others. A main thread that hangs replaces no thread and answers no command,
 * and nobody outside notices: so it is reported, and then the process ends, for whatever started it to start it again.
 * Nothing that was acknowledged is lost: it is on disk (docs/decisions/0038).
 *
 * INVARIANTS
 * 1. It ends for time that it used, or could have used for long (usable-time.ts), not for time that passed.
 * 2. Nothing here needs the main thread: lines go directly to the standard error.
 * 3. One thread reports, and one says where the main thread hangs and ends the process, however many watch. Should that
 *    one not come to it, because whoever reads the standard error does not either, any other ends the process.
 */
import { writeSync } from 'node:fs';
import type { threadLimits } from '../limits.ts';
import { systemClock } from './clock.ts';
import { askMainPlace } from './main-place.ts';
import { Pulse } from './pulse.ts';
import { type Scheduler, systemScheduler } from './scheduler.ts';
import { UsableTime } from './usable-time.ts';

export type MainWatchLimits = Record<
  Extract<
    keyof typeof threadLimits,
    | 'watchMilliseconds'
    | 'silenceReportedMilliseconds'
    | 'mainSilenceMilliseconds'
    | 'mainSleepMilliseconds'
    | 'mainPlaceMilliseconds'
  >,
  number
>;

/** Given to each thread. */
export interface MainWatchStart {
  /** Of the main thread's heartbeat. */
  readonly pulse: SharedArrayBuffer;
  /** What was reported of it, by whichever thread: `calm`, `reported` or `ending`. */
  readonly state: SharedArrayBuffer;
  readonly limits: MainWatchLimits;
}

export interface MainWatchOptions extends MainWatchStart {
  readonly scheduler: Scheduler | undefined;
  readonly now: () => number;
  /** Sentences. */
  report(text: string): void;
  /** Calls back once with the frames of the main thread, or never (main-place.ts). */
  askPlace(tell: (place: string) => void): void;
  /** Ends the process. */
  end(): void;
}

const [calm, reported, ending] = [0, 1, 2];
const hangs = 'the main thread hangs: the process ends, and nothing that was acknowledged is lost.';

export function allocateMainWatchState(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

export class MainWatch {
  private readonly options: MainWatchOptions;
  private readonly pulse: Pulse;
  private readonly state: Int32Array;
  private readonly usableTime: UsableTime;
  private lastLook: number;
  /** Since its last beat: the time that it ran, and all that it could have used. */
  private ranMilliseconds = 0;
  private usableMilliseconds = 0;
  /** Since the process is ending. */
  private endingMilliseconds = 0;
  /** This is the thread that asks where the main thread hangs. */
  private isAsking = false;

  constructor(options: MainWatchOptions) {
    this.options = options;
    this.pulse = new Pulse(options.pulse);
    this.state = new Int32Array(options.state);
    const { scheduler, limits } = options;
    this.usableTime = new UsableTime({ scheduler, watchMilliseconds: limits.watchMilliseconds });
    this.lastLook = options.now();
  }

  /** To be called every `watchMilliseconds`; may be late, as this thread has other work. */
  look(): void {
    const { now } = this.options;
    const elapsed = now() - this.lastLook;
    this.lastLook = now();
    if (Atomics.load(this.state, 0) === ending) this.lookAtEnding(elapsed);
    else if (this.pulse.hasBeaten()) {
      this.usableTime.look([], elapsed, false);
      this.answers();
    } else this.lookAtSilence(elapsed);
  }

  private lookAtSilence(elapsed: number): void {
    const { limits } = this.options;
    const isLate = elapsed > limits.silenceReportedMilliseconds + limits.watchMilliseconds;
    const [used] = this.usableTime.look([this.pulse.threadId], elapsed, isLate);
    this.ranMilliseconds += used!.ranMilliseconds;
    this.usableMilliseconds += used!.usableMilliseconds;
    this.judge();
  }

  private answers(): void {
    this.ranMilliseconds = 0;
    this.usableMilliseconds = 0;
    if (this.moves(reported, calm)) this.options.report('the main thread answers again.');
  }

  private judge(): void {
    const { limits, report, askPlace } = this.options;
    const { ranMilliseconds, usableMilliseconds } = this;
    const seconds = (usableMilliseconds / 1_000).toFixed(1);
    if (usableMilliseconds < limits.silenceReportedMilliseconds) return;
    if (this.moves(calm, reported)) report(`the main thread has not answered for ${seconds} s.`);
    const isOver =
      ranMilliseconds >= limits.mainSilenceMilliseconds || usableMilliseconds >= limits.mainSleepMilliseconds;
    if (!isOver || !this.moves(reported, ending)) return;
    this.isAsking = true;
    askPlace((place) => this.tellAndEnd(`${hangs} It hung here:\n${place}`));
  }

  private lookAtEnding(elapsed: number): void {
    const { limits, end } = this.options;
    // A look that comes late counts as one: whoever is to tell may have had no processor either.
    this.endingMilliseconds += Math.min(elapsed, limits.watchMilliseconds);
    if (this.isAsking && this.endingMilliseconds >= limits.mainPlaceMilliseconds)
      this.tellAndEnd(`${hangs} It hung outside of JavaScript.`);
    else if (this.endingMilliseconds >= 2 * limits.mainPlaceMilliseconds) end();
  }

  private tellAndEnd(text: string): void {
    this.isAsking = false;
    this.options.report(text);
    this.options.end();
  }

  /** True for the one thread that makes this change. */
  private moves(from: number, to: number): boolean {
    return Atomics.load(this.state, 0) === from && Atomics.compareExchange(this.state, 0, from, to) === from;
  }
}

/** Watches until the thread ends, without keeping it alive. */
export function watchMain(start: MainWatchStart): void {
  const watch = new MainWatch({
    ...start,
    scheduler: systemScheduler(),
    now: () => systemClock.monotonic(),
    report: (text) => tell(`Murmuration: ${text}\n`),
    askPlace: askMainPlace,
    // A thread can end its process in no other way; whatever started it sees that it failed.
    end: () => void process.kill(process.pid, 'SIGKILL'),
  });
  setInterval(() => watch.look(), start.limits.watchMilliseconds).unref();
}

/** `process.stderr` of a thread goes through the main thread. */
function tell(text: string): void {
  try {
    writeSync(2, text);
  } catch (error) {
    // Nobody reads, or not now: no reason to keep a process that hangs.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
}
