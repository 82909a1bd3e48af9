/** One delivery under way at one host: one request to a shared inbox, or one for each inbox. */
import type { LogEntry, PreparedActivity } from './log-entry.ts';

export interface Job {
  readonly entry: LogEntry;
  readonly activity: PreparedActivity;
  readonly inboxes: readonly string[];
  /** The index of the next inbox to serve. */
  next: number;
  /** Requests that have not ended. */
  open: number;
  /** Inboxes that did not take it, and may later. */
  readonly left: string[];
  /** Whether some of them may have seen it. */
  wasTried: boolean;
  /** Whether some of them refused it, or failed alone while their host works. */
  wasRefused: boolean;
}

export function createJob(entry: LogEntry, activity: PreparedActivity, inboxes: readonly string[]): Job {
  return { entry, activity, inboxes, next: 0, open: 0, left: [], wasTried: false, wasRefused: false };
}
