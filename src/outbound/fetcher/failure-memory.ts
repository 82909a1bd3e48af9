/**
 * Recent failures by URL or by host, so that requests are not repeated too soon. A repeated failure doubles the wait,
 * within bounds; a success deletes it.
 */
import { SizedMap } from '../../runtime/sized-map.ts';
import type { FetchFailure } from './fetch-result.ts';

interface RememberedFailure {
  failure: FetchFailure;
  /** By the monotonic clock; after this the next attempt may be made, but the previous wait is still known. */
  until: number;
  waitMilliseconds: number;
}

/** About the memory of a failure besides its key (measured). */
const failureBytes = 300;

export class FailureMemory {
  /** In the order of the last failure, oldest first. */
  private readonly entries: SizedMap<string, RememberedFailure>;

  constructor(bytesMax: number) {
    this.entries = new SizedMap({ bytesMax, bytesOf: (_failure, key) => key.length + failureBytes });
  }

  get bytes(): number {
    return this.entries.bytes;
  }

  /**
   * The failure in force for this key, with the remaining time; undefined when a request may be tried. After `patience`
   * it may, unless the host asked for a pause or said that this is gone.
   */
  find(key: string, now: number, patience = Number.POSITIVE_INFINITY): FetchFailure | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined || entry.until <= now) return undefined;
    const isFinal = entry.failure.kind === 'throttled' || entry.failure.kind === 'gone';
    return !isFinal && now - failedAt(entry) >= patience ? undefined : remaining(entry, now);
  }

  /** Remembers a failure for a known time. */
  keep(key: string, failure: FetchFailure, waitMilliseconds: number, now: number): void {
    this.entries.set(key, { failure, until: now + waitMilliseconds, waitMilliseconds });
  }

  /** Remembers a failure for twice as long as its predecessor. Those within `minimum` count as one: they ran in parallel. */
  keepLonger(key: string, failure: FetchFailure, minimum: number, maximum: number, now: number): number {
    const entry = this.entries.get(key);
    if (entry !== undefined && entry.until > now && now - failedAt(entry) < minimum) return entry.until - now;
    const wait = entry === undefined ? minimum : Math.min(Math.max(entry.waitMilliseconds * 2, minimum), maximum);
    this.keep(key, failure, wait, now);
    return wait;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }
}

function remaining({ failure, until }: RememberedFailure, now: number): FetchFailure {
  return { ...failure, retryAfterMilliseconds: until - now };
}

function failedAt({ until, waitMilliseconds }: RememberedFailure): number {
  return until - waitMilliseconds;
}
