/**
 * What failed lately, by URL or by host, so that it is not asked again too soon. A repeated failure waits twice as long as
 * the one before, within bounds; a success forgets it.
 */
import type { FetchFailure } from './fetch-result.ts';

interface RememberedFailure {
  failure: FetchFailure;
  /** Milliseconds since 1970; after this the next attempt may be made, but the wait that led here is still known. */
  until: number;
  waitMilliseconds: number;
}

export class FailureMemory {
  private readonly entriesMax: number;
  /** In the order of the last failure, oldest first. */
  private readonly entries = new Map<string, RememberedFailure>();

  constructor(entriesMax: number) {
    this.entriesMax = entriesMax;
  }

  /** The failure that still stands for this key, with the time left in it; undefined when it may be tried. */
  find(key: string, now: number): FetchFailure | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined || entry.until <= now) return undefined;
    return { ...entry.failure, retryAfterMilliseconds: entry.until - now };
  }

  /** Remembers a failure for a known time. */
  keep(key: string, failure: FetchFailure, waitMilliseconds: number, now: number): void {
    this.entries.delete(key);
    if (this.entries.size >= this.entriesMax) this.entries.delete(this.entries.keys().next().value!);
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
