/** An entry of the log in delivery to one host: one request to each of its targets there. */
import type { LogEntry, PreparedEntry } from './log.ts';

export interface Job {
  readonly entry: LogEntry;
  readonly prepared: PreparedEntry;
  readonly targets: readonly string[];
  /** Index of the next target. */
  next: number;
  /** Running requests. */
  open: number;
  /** Targets that failed and are tried again later. */
  readonly left: string[];
  /** Whether some of them may have received it. */
  wasTried: boolean;
  /** Whether some of them refused it, or failed alone while their host works. */
  wasRefused: boolean;
}

export function createJob(entry: LogEntry, prepared: PreparedEntry, targets: readonly string[]): Job {
  return { entry, prepared, targets, next: 0, open: 0, left: [], wasTried: false, wasRefused: false };
}
