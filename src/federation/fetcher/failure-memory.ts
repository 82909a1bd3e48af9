/**
 * What failed lately, by URL or by host, so that it is not asked again too soon. A repeated failure waits twice as long as
 * the one before, within bounds; a success forgets it.
 */
import { SizedMap } from '../../runtime/sized-map.ts';
import type { FetchFailure } from './fetch-result.ts';

interface RememberedFailure {
  failure: FetchFailure;
  /** Milliseconds since 1970; after this the next attempt may be made, but the wait that led here is still known. */
  until: number;
  waitMilliseconds: number;
}

/** About what a failure takes beside its key (measured). */
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

  /** The failure that still stands for this key, with the time left in it; undefined when it may be tried. */
  find(key: string, now: number): FetchFailure | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined || entry.until <= now) return undefined;
    return { ...entry.failure, retryAfterMilliseconds: entry.until - now };
  }

  /** Remembers a failure for a known time. */
  keep(key: string, failure: FetchFailure, waitMilliseconds: number, now: number): void {
    this.entries.set(key, { failure, until: now + waitMilliseconds, waitMilliseconds });
  }

  /** Remembers a failure for twice as long as its predecessor. Failures that ran side by side count as one. */
  keepLonger(key: string, failure: FetchFailure, minimum: number, maximum: number, now: number): number {
    const entry = this.entries.get(key);
    if (entry !== undefined && entry.until > now) return entry.until - now;
    const wait = entry === undefined ? minimum : Math.min(Math.max(entry.waitMilliseconds * 2, minimum), maximum);
    this.keep(key, failure, wait, now);
    return wait;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }
}
