/**
 * Computes how much of a period a thread could have used, in order to distinguish a hanging thread from one that only
 * gets no processor (docs/decisions/0035):
 *
 * - While it ran it had a processor: all of that time.
 * - While it waited for a processor: none.
 * - While it slept: the share of processor time that the process got of what it requested. The thread may be waiting
 *   for another thread, such as V8's garbage collector, that waits for a processor itself.
 */
import type { ProcessorTimes, Scheduler } from './scheduler.ts';

export interface UsableTimeOptions {
  /** Without it, all of the time between two checks counts as usable. */
  readonly scheduler: Scheduler | undefined;
  /** How often checks are made. */
  readonly watchMilliseconds: number;
}

/** Of one thread, since the last check. */
export interface Usage {
  /** While it is known to have run. */
  readonly ranMilliseconds: number;
  readonly usableMilliseconds: number;
}

export class UsableTime {
  private readonly options: UsableTimeOptions;
  /** The threads that were silent at the last check. */
  private silent: ReadonlyMap<number, ProcessorTimes> = new Map();
  /** Times of all threads when a silent one was last seen asleep. */
  private all: ReadonlyMap<number, ProcessorTimes> = new Map();
  /** The share of the processors that the process got; looked up at most once a check. */
  private share: number | undefined;

  constructor(options: UsableTimeOptions) {
    this.options = options;
  }

  /**
   * Call at each check with the kernel ids of the threads that are silent. Returns what each of them could have used since
   * the last check. `isLate`: the process was suspended, so no thread slept all of that time of its own accord.
   */
  look(threadIds: readonly number[], elapsedMilliseconds: number, isLate: boolean): Usage[] {
    const before = this.silent;
    const now = new Map<number, ProcessorTimes>();
    this.share = undefined;
    const usages = threadIds.map((id) => {
      const times = id === 0 ? undefined : this.options.scheduler?.timesOf(id);
      if (times !== undefined) now.set(id, times);
      const since = differenceOf(times, before.get(id));
      // The time before the first check that found it silent is unknown.
      if (since === undefined)
        return { ranMilliseconds: 0, usableMilliseconds: isLate ? 0 : this.options.watchMilliseconds };
      const { ranMilliseconds } = since;
      const slept = isLate ? 0 : this.sleptUsably(id, since, elapsedMilliseconds);
      return { ranMilliseconds, usableMilliseconds: ranMilliseconds + slept };
    });
    this.silent = now;
    return usages;
  }

  private sleptUsably(id: number, { ranMilliseconds, waitedMilliseconds }: ProcessorTimes, elapsed: number): number {
    // A wait that has not ended is not included in its times.
    if (this.options.scheduler!.isRunnable(id)) return 0;
    this.share ??= this.shareOfProcess();
    return this.share * Math.max(0, elapsed - ranMilliseconds - waitedMilliseconds);
  }

  private shareOfProcess(): number {
    const { scheduler } = this.options;
    const before = this.all;
    const now = new Map<number, ProcessorTimes>();
    let ran = 0;
    let waited = 0;
    for (const id of scheduler!.threadIds()) {
      const times = scheduler!.timesOf(id);
      if (times === undefined) continue;
      now.set(id, times);
      const since = differenceOf(times, before.get(id));
      ran += since?.ranMilliseconds ?? 0;
      waited += since?.waitedMilliseconds ?? 0;
    }
    this.all = now;
    return ran + waited === 0 ? 1 : ran / (ran + waited);
  }
}

function differenceOf(now: ProcessorTimes | undefined, before: ProcessorTimes | undefined): ProcessorTimes | undefined {
  if (now === undefined || before === undefined) return undefined;
  return {
    ranMilliseconds: now.ranMilliseconds - before.ranMilliseconds,
    waitedMilliseconds: now.waitedMilliseconds - before.waitedMilliseconds,
  };
}
