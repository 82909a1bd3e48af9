/** What lanes need from outside besides the log: tests run them with a simulated clock. */
import type { Clock, Problem } from '../../runtime/ports.ts';
import type { Verdict } from './outcome.ts';

export interface LanePorts extends Clock {
  /** From 0 up to 1 (excluded). */
  random(): number;
  /** Runs the callback soon, after the thread's other pending work. */
  defer(callback: () => void): void;
  /** Runs the callback once after a time; the function returned cancels it. */
  schedule(milliseconds: number, callback: () => void): () => void;
  /** A request has ended; counted for the operator. */
  attempted(verdict: Verdict): void;
  /** The wait of a failing host was shortened; counted for the operator. */
  waitShortened(): void;
  report(problem: Problem): void;
}
