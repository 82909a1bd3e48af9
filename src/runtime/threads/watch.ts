/**
 * The supervisor's watchdog: checks all threads at regular intervals, reports silent ones, and says which to replace.
 *
 * INVARIANT a check that came late is ignored: the process was stopped, or the machine slept.
 */
import type { threadLimits } from '../limits.ts';
import type { Problem } from '../ports.ts';
import type { Pulse } from './pulse.ts';
import type { TurnWatchReader } from './turn-watch.ts';

export interface Watched {
  readonly title: string;
  readonly pulse: Pulse;
  /** For owners. */
  readonly record: TurnWatchReader | undefined;
  /** False while the thread loads and opens what it serves, which may take longer. */
  readonly isReady: boolean;
  /** Its silence has been reported. */
  isSilent: boolean;
}

export type WatchLimits = Record<
  Extract<
    keyof typeof threadLimits,
    'watchMilliseconds' | 'silenceReportedMilliseconds' | 'silenceMilliseconds' | 'startSilenceMilliseconds'
  >,
  number
>;

export interface WatchOptions<Thread extends Watched> {
  readonly limits: WatchLimits;
  readonly now: () => number;
  /** The running threads. */
  threads(): Iterable<Thread>;
  report(problem: Problem): void;
  /** The thread must be replaced. Called once for each that hangs. */
  hangs(thread: Thread): void;
}

export class ThreadWatch<Thread extends Watched> {
  private readonly options: WatchOptions<Thread>;
  private lastLook: number;

  constructor(options: WatchOptions<Thread>) {
    this.options = options;
    this.lastLook = options.now();
  }

  /** To be called every `watchMilliseconds`. */
  look(): void {
    const { limits, now, threads, report } = this.options;
    const sinceLastLook = now() - this.lastLook;
    this.lastLook = now();
    if (sinceLastLook > limits.silenceReportedMilliseconds + limits.watchMilliseconds) {
      const seconds = (sinceLastLook / 1_000).toFixed(1);
      report({ level: 'warn', message: `the process stood still for ${seconds} s: no thread is replaced for that` });
      for (const { pulse, record } of threads()) {
        pulse.forgive();
        record?.forgive();
      }
      return;
    }
    for (const thread of threads()) this.lookAt(thread);
  }

  private lookAt(thread: Thread): void {
    const { limits, report, hangs } = this.options;
    const { title, pulse, record, isReady } = thread;
    const silentMilliseconds = pulse.look() * limits.watchMilliseconds;
    if (record?.isStuck() === true) {
      report({ level: 'error', message: `${title} hangs in a turn and is replaced` });
      hangs(thread);
    } else if (!isReady) {
      if (silentMilliseconds < limits.startSilenceMilliseconds) return;
      report({ level: 'error', message: `${title} hangs while it starts and is replaced` });
      hangs(thread);
    } else if (silentMilliseconds >= limits.silenceMilliseconds) {
      report({ level: 'error', message: `${title} hangs and is replaced` });
      hangs(thread);
    } else if (silentMilliseconds >= limits.silenceReportedMilliseconds && !thread.isSilent) {
      thread.isSilent = true;
      report({ level: 'warn', message: `${title} does not answer since ${silentMilliseconds / 1_000} s` });
    } else if (silentMilliseconds === 0 && thread.isSilent) {
      thread.isSilent = false;
      report({ level: 'warn', message: `${title} answers again` });
    }
  }
}
