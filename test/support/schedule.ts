/** When the partitions of a test work, and what time it is for them. */
import type { PartitionPorts } from '../../src/runtime/ports.ts';
import { systemClock } from '../../src/runtime/threads/clock.ts';

export interface Schedule extends Pick<PartitionPorts, 'clock'> {
  /** Runs a task behind all pending ones. */
  soon(task: () => void): void;
  /** Wakes a partition; it may have asked for another time since. */
  wakeIn(milliseconds: number, wake: () => void): void;
}

/** Tasks that run, in their order, when a test says so. */
export class Tasks {
  private pending: (() => void)[] = [];
  readonly soon = (task: () => void): void => void this.pending.push(task);

  /** Runs the next one; false when there was none. */
  step(): boolean {
    const next = this.pending.shift();
    next?.();
    return next !== undefined;
  }

  /** Runs them, and those that they add, until none is left. */
  run(): void {
    for (let tasks = 0; this.step(); tasks += 1) {
      if (tasks === 100_000) throw new Error('the partitions do not come to rest');
    }
  }

  drop(): void {
    this.pending = [];
  }
}

/** Real turns of the event loop, in real time. */
export const realTime: Schedule = {
  clock: systemClock,
  soon: (task) => void setImmediate(task),
  // A timer of Node takes no longer time than this.
  wakeIn: (milliseconds, wake) => void setTimeout(wake, Math.min(Math.ceil(milliseconds), 2 ** 31 - 1)).unref(),
};
