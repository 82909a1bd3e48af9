/** The ports of lanes on a network thread: its clock, timers and event loop. */
import type { Clock, Problem } from '../../runtime/ports.ts';
import type { LanePorts } from './ports.ts';

/** What lanes count for the operator. */
export type LaneCounters = Pick<LanePorts, 'attempted' | 'waitShortened'>;

interface Thread extends Clock, Partial<LaneCounters> {
  report(problem: Problem): void;
}

export function lanePorts(thread: Thread): LanePorts {
  return {
    now: () => thread.now(),
    monotonic: () => thread.monotonic(),
    random: () => Math.random(),
    defer: (callback) => void setImmediate(callback),
    schedule: (milliseconds, callback) => {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
    attempted: (verdict) => thread.attempted?.(verdict),
    waitShortened: () => thread.waitShortened?.(),
    report: (problem) => thread.report(problem),
  };
}
