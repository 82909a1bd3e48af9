/**
 * The health of a host, and its window of parallel requests: one more after each window of successes, half after a
 * failure. While the host is failing, one probe at the end of each wait; waits are shorter while the host shows that it
 * is alive.
 * Times are moments of the monotonic clock.
 */
import type { LaneCondition } from '../../services/delivery-lanes.ts';
import { laneLimits } from './limits.ts';
import {
  conditionOf,
  earlierAttempt,
  hostWaitMilliseconds,
  livingHostWaitMilliseconds,
  shortestPauseMilliseconds,
} from './retry-policy.ts';

export interface KnownHealth {
  readonly failures: number;
  readonly failingSince?: number | undefined;
  readonly nextAttemptAt?: number | undefined;
  readonly earliestAttemptAt?: number | undefined;
  readonly shortenedWaits?: number | undefined;
}

export class LaneHealth {
  /** Attempts in a row at which the host failed; parallel attempts count as one. */
  failures: number;
  failingSince: number | undefined;
  lastSuccessAt: number | undefined;
  /** No request before this; 0 for at once. */
  nextAttemptAt: number;
  /** Nothing shortens the wait to less than this: the pace of attempts, or a pause that the host asked for. */
  earliestAttemptAt: number;
  /** Waits that were shortened since the host began to fail. */
  shortenedWaits: number;
  /** Pauses that the host asked for since it worked; parallel ones count as one. */
  private pauses = 0;
  private window: number = laneLimits.windowStart;
  private successes = 0;
  private lastFailureAt = Number.NEGATIVE_INFINITY;

  constructor(known: KnownHealth | undefined) {
    this.failures = known?.failures ?? 0;
    this.failingSince = known?.failingSince;
    this.nextAttemptAt = known?.nextAttemptAt ?? 0;
    this.earliestAttemptAt = known?.earliestAttemptAt ?? 0;
    this.shortenedWaits = known?.shortenedWaits ?? 0;
  }

  get isFailing(): boolean {
    return this.failures > 0;
  }

  /** Whether the latest response of the host was good. */
  get isProved(): boolean {
    return this.lastSuccessAt !== undefined && this.failures === 0;
  }

  condition(underWay: number): LaneCondition {
    return conditionOf(this.failures, underWay > 0);
  }

  /** Whether one more request may be sent. */
  allows(now: number, underWay: number): boolean {
    if (now < this.nextAttemptAt) return false;
    return underWay < (this.isFailing ? 1 : this.window);
  }

  /** A successful response. True when the host was failing before. */
  succeeded(now: number, underWay: number): boolean {
    const hasRecovered = this.answered(now);
    if (hasRecovered) return true;
    // An unused window says nothing about the host.
    if (underWay < this.window) return false;
    this.successes += 1;
    if (this.successes < this.window) return false;
    this.successes = 0;
    this.window = Math.min(this.window + 1, laneLimits.windowMax);
    return false;
  }

  /** A response, even if it refuses. True when the host was failing before. */
  answered(now: number): boolean {
    this.lastSuccessAt = now;
    return this.clear();
  }

  /** Failures are forgotten. True where there were any. */
  clear(): boolean {
    if (this.failures === 0) return false;
    this.failures = 0;
    this.failingSince = undefined;
    this.nextAttemptAt = 0;
    this.earliestAttemptAt = 0;
    this.shortenedWaits = 0;
    this.pauses = 0;
    this.window = laneLimits.windowRecovered;
    this.successes = 0;
    return true;
  }

  /** Its failures were not its own, or are over: tried at once, it waits as after a first failure if that fails. */
  forgive(now: number): void {
    this.failures = 1;
    this.failingSince = now;
    this.nextAttemptAt = now;
    this.earliestAttemptAt = now;
    this.shortenedWaits = 0;
  }

  /** The request that began at `startedAt` failed. `random` is from 0 up to 1 (excluded). */
  failed(now: number, startedAt: number, random: number): void {
    this.slowDown();
    if (startedAt <= this.lastFailureAt) return;
    this.lastFailureAt = now;
    this.failures += 1;
    this.failingSince ??= now;
    this.nextAttemptAt = now + hostWaitMilliseconds(this.failures, random);
    const earliest = now + livingHostWaitMilliseconds(this.shortenedWaits);
    this.earliestAttemptAt = Math.max(this.earliestAttemptAt, earliest);
  }

  /** The host has shown that it is alive. Whether that shortens its wait. */
  heard(now: number): boolean {
    const at = this.isFailing ? earlierAttempt(this, now) : undefined;
    if (at === undefined) return false;
    this.nextAttemptAt = at;
    this.shortenedWaits += 1;
    return true;
  }

  /** The host answers the request that began at `startedAt` with a pause: no failure is counted for that. */
  throttled(now: number, startedAt: number, waitMilliseconds: number): void {
    this.slowDown();
    if (startedAt > this.lastFailureAt) this.pauses += 1;
    this.lastFailureAt = now;
    this.failures = Math.max(1, this.failures);
    this.failingSince ??= now;
    const at = now + Math.max(waitMilliseconds, shortestPauseMilliseconds(this.pauses));
    this.nextAttemptAt = Math.max(this.nextAttemptAt, at);
    this.earliestAttemptAt = Math.max(this.earliestAttemptAt, at);
  }

  /** The host reports that it is gone for good: it gets the longest wait. */
  gone(now: number, random: number): void {
    this.failures = Math.max(this.failures, laneLimits.hostWaitsMilliseconds.length - 1);
    this.failed(now, Number.POSITIVE_INFINITY, random);
  }

  /** Something failed without making the host a failing one. */
  slowDown(): void {
    this.window = Math.max(1, this.window >> 1);
    this.successes = 0;
  }

  /** A bound of this server prevented the request: it says nothing about the host. */
  postpone(now: number): void {
    this.nextAttemptAt = Math.max(this.nextAttemptAt, now + laneLimits.busyMilliseconds);
  }
}
