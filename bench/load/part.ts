/** What a run is made of: parts, each of which loads the server in its way, all at the same time. */
import type { Recorder } from './run/recorder.ts';
import type { Target } from './target.ts';

/** Milliseconds of the monotonic clock. */
export interface RunTimes {
  readonly startAt: number;
  readonly measuredFrom: number;
  readonly endAt: number;
  /** Aborted when somebody ends the run early. */
  readonly signal: AbortSignal;
}

export interface PartContext {
  readonly target: Target;
  readonly recorder: Recorder;
  /** Says what is being prepared. */
  readonly tell: (sentence: string) => void;
  readonly signal: AbortSignal;
  /** A number for the marker of a post, which nothing else in this run has. */
  readonly nextNumber: () => number;
}

export interface Part {
  /** Connects, registers, subscribes. Rejects with a LoadFailure. */
  open(): Promise<void>;
  /** Settles when everything that was due has been answered, or has had its time. */
  run(times: RunTimes): Promise<void>;
  /** Numbers beside latencies, of the measured time of so many seconds: what was asked, what was reached, what was found. */
  facts(seconds: number): Readonly<Record<string, unknown>>;
  /** Sentences about what a reader must know to trust the figures. */
  warnings(): readonly string[];
  close(): Promise<void>;
}
