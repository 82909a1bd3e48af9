/**
 * The supervisor's watchdog: checks all threads at regular intervals, reports silent ones, and says which to replace.
 *
 * INVARIANT a thread is replaced for time that it could have used (usable-time.ts), not for time that passed: the process
 * may have been stopped, the machine may have slept, or others may have had the processors.
 */
import type { threadLimits } from '../limits.ts';
import type { Problem } from '../ports.ts';
import type { Pulse } from './pulse.ts';
import type { Scheduler } from './scheduler.ts';
import type { TurnWatchReader } from './turn-watch.ts';
import { UsableTime } from './usable-time.ts';

/** The time since the last heartbeat: what of it the thread could have used, and all of it. */
export interface Silence {
  readonly usableMilliseconds: number;
  readonly passedMilliseconds: number;
}

export const noSilence: Silence = { usableMilliseconds: 0, passedMilliseconds: 0 };

export interface Watched {
  readonly title: string;
  readonly pulse: Pick<Pulse, 'threadId' | 'hasBeaten'>;
  /** For owners. */
  readonly record: Pick<TurnWatchReader, 'isStuck'> | undefined;
  /** False while the thread loads and opens what it serves, which may take longer. */
  readonly isReady: boolean;
  silence: Silence;
  /** Its silence has been reported. */
  isSilent: boolean;
}

export type WatchLimits = Record<
  Extract<
    keyof typeof threadLimits,
    | 'watchMilliseconds'
    | 'silenceReportedMilliseconds'
    | 'silenceMilliseconds'
    | 'startSilenceMilliseconds'
    | 'starvingReportMilliseconds'
  >,
  number
>;

export interface WatchOptions<Thread extends Watched> {
  readonly limits: WatchLimits;
  readonly scheduler: Scheduler | undefined;
  readonly now: () => number;
  /** The running threads. */
  threads(): Iterable<Thread>;
  report(problem: Problem): void;
  /** The thread must be replaced. Called once for each that hangs. */
  hangs(thread: Thread): void;
}

export class ThreadWatch<Thread extends Watched> {
  private readonly options: WatchOptions<Thread>;
  private readonly usableTime: UsableTime;
  private lastLook: number;
  private starvingReportedAt = Number.NEGATIVE_INFINITY;

  constructor(options: WatchOptions<Thread>) {
    this.options = options;
    const { watchMilliseconds } = options.limits;
    this.usableTime = new UsableTime({ scheduler: options.scheduler, watchMilliseconds });
    this.lastLook = options.now();
  }

  /** To be called every `watchMilliseconds`. */
  look(): void {
    const { limits, now, threads, report } = this.options;
    const elapsed = now() - this.lastLook;
    this.lastLook = now();
    const isLate = elapsed > limits.silenceReportedMilliseconds + limits.watchMilliseconds;
    if (isLate) {
      const message = `the process was suspended or had no processor for ${inSeconds(elapsed)} s: no thread is replaced because of that`;
      report({ level: 'warn', message });
    }
    const silent: Thread[] = [];
    for (const thread of threads()) {
      if (thread.pulse.hasBeaten()) this.answers(thread);
      else silent.push(thread);
    }
    const threadIds = silent.map(({ pulse }) => pulse.threadId);
    const usages = this.usableTime.look(threadIds, elapsed, isLate);
    for (const [index, thread] of silent.entries()) {
      const { usableMilliseconds, passedMilliseconds } = thread.silence;
      const usage = usages[index]!;
      thread.silence = {
        usableMilliseconds: usableMilliseconds + usage.usableMilliseconds,
        passedMilliseconds: passedMilliseconds + (isLate ? 0 : elapsed),
      };
      this.lookAt(thread, usage.usableMilliseconds);
    }
  }

  private answers(thread: Thread): void {
    thread.silence = noSilence;
    thread.record?.isStuck(0);
    if (!thread.isSilent) return;
    thread.isSilent = false;
    this.options.report({ level: 'warn', message: `${thread.title} answers again` });
  }

  /** `usableMilliseconds` since the last check. */
  private lookAt(thread: Thread, usableMilliseconds: number): void {
    const { limits, report, hangs } = this.options;
    const { title, record, isReady } = thread;
    const silentMilliseconds = thread.silence.usableMilliseconds;
    if (record?.isStuck(usableMilliseconds) === true) {
      report({ level: 'error', message: `${title} hangs in a turn and is replaced` });
      hangs(thread);
    } else if (!isReady) {
      if (silentMilliseconds < limits.startSilenceMilliseconds) return;
      report({ level: 'error', message: `${title} hangs while it starts and is replaced` });
      hangs(thread);
    } else if (silentMilliseconds >= limits.silenceReportedMilliseconds) {
      if (!thread.isSilent)
        report({ level: 'warn', message: `${title} has not answered for ${inSeconds(silentMilliseconds)} s` });
      thread.isSilent = true;
      if (silentMilliseconds < limits.silenceMilliseconds) return;
      report({ level: 'error', message: `${title} hangs and is replaced` });
      hangs(thread);
    } else this.lookWhetherItStarves(thread);
  }

  /** Not for each thread each time: a starved machine has better things to do. */
  private lookWhetherItStarves({ title, isSilent, silence: { passedMilliseconds } }: Thread): void {
    const { limits, now, report } = this.options;
    if (isSilent || passedMilliseconds < limits.silenceReportedMilliseconds) return;
    if (now() - this.starvingReportedAt < limits.starvingReportMilliseconds) return;
    this.starvingReportedAt = now();
    const seconds = inSeconds(passedMilliseconds);
    report({
      level: 'warn',
      message: `${title} has waited for a processor for ${seconds} s: the machine is overloaded`,
    });
  }
}

function inSeconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}
