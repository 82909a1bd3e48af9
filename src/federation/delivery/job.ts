/** A delivery to one host in progress: one request to a shared inbox, or one for each inbox. */
import type { LogEntry, PreparedActivity } from './log-entry.ts';

export interface Job {
  readonly entry: LogEntry;
  readonly activity: PreparedActivity;
  readonly inboxes: readonly string[];
  /** Index of the next inbox. */
  next: number;
  /** Running requests. */
  open: number;
  /** Inboxes that failed and are tried again later. */
  readonly left: string[];
  /** Whether some of them may have received it. */
  wasTried: boolean;
  /** Whether some of them refused it, or failed alone while their host works. */
  wasRefused: boolean;
}

export function createJob(entry: LogEntry, activity: PreparedActivity, inboxes: readonly string[]): Job {
  return { entry, activity, inboxes, next: 0, open: 0, left: [], wasTried: false, wasRefused: false };
}
