/**
 * How long to wait before the next attempt. Pure. Waits belong to hosts and not to entries: a dead host costs one
 * request per wait, however many entries are pending.
 */
import type { LaneCondition } from '../../services/delivery-lanes.ts';
import { fetcherLimits } from '../fetcher/limits.ts';
import { laneLimits } from './limits.ts';

/** The wait after so many failures in a row; `random` is from 0 up to 1 (excluded). */
export function hostWaitMilliseconds(failures: number, random: number): number {
  const waits = laneLimits.hostWaitsMilliseconds;
  const wait = waits[Math.min(failures, waits.length) - 1] ?? waits[0];
  return Math.round(wait * (1 + laneLimits.waitVariation * (2 * random - 1)));
}

/** The wait of a failing host that shows meanwhile that it is alive, after so many of its waits were shortened. */
export function livingHostWaitMilliseconds(shortenedWaits: number): number {
  const waits = laneLimits.livingHostWaitsMilliseconds;
  return waits[Math.min(shortenedWaits, waits.length - 1)]!;
}

/** The shortest pause of a host that asks for so many in a row. */
export function shortestPauseMilliseconds(pauses: number): number {
  const { throttleMillisecondsMin, growingThrottleMillisecondsMax } = laneLimits;
  return Math.min(throttleMillisecondsMin * 2 ** Math.max(0, pauses - 1), growingThrottleMillisecondsMax);
}

/** When a host waits, in moments or in dates. */
export interface HostWait {
  /** No attempt before this. */
  readonly nextAttemptAt: number;
  /** Nothing shortens the wait to less than this. */
  readonly earliestAttemptAt: number;
}

/** The next attempt at a failing host that is alive; undefined where its wait is not worth shortening. */
export function earlierAttempt({ nextAttemptAt, earliestAttemptAt }: HostWait, now: number): number | undefined {
  const at = Math.max(now, earliestAttemptAt);
  return nextAttemptAt - at < laneLimits.shortenedMillisecondsMin ? undefined : at;
}

/** The longest wait of a host after so many failures in a row, also where it asked for a pause. */
export function longestWaitMilliseconds(failures: number): number {
  return Math.max(hostWaitMilliseconds(failures, 1), fetcherLimits.throttleMillisecondsMax);
}

/** The wait after so many refusals of one delivery; undefined when it is given up. */
export function refusedWaitMilliseconds(attempts: number): number | undefined {
  return laneLimits.refusedWaitsMilliseconds[attempts - 1];
}

/** `failures` in a row at the host, and whether a request is running there. */
export function conditionOf(failures: number, isTrying: boolean): LaneCondition {
  if (failures === 0) return 'healthy';
  if (isTrying) return 'probing';
  return failures >= laneLimits.deadFailures ? 'dead' : 'backing off';
}
