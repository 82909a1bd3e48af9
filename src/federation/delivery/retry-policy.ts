/**
 * What a response means, and how long to wait before the next attempt. Pure. Waits belong to hosts and not to
 * activities: a dead host costs one request per wait, however many deliveries are pending.
 */

import type { DeliveryResult } from '../../outbound/fetcher/deliver.ts';
import { fetcherLimits } from '../../outbound/fetcher/limits.ts';
import type { LaneCondition } from '../../services/delivery-lanes.ts';
import { egressLimits } from './limits.ts';

export const verdicts = [
  'delivered',
  /** This host will never accept this activity at this inbox. */
  'dropped',
  /** 410: the inbox is gone; the whole host if the inbox is its shared one. */
  'gone',
  /** 401 and 403: a clock or a key may be behind; worth two more attempts. */
  'refused',
  /** The host asks for a pause of a stated length. */
  'throttled',
  /** No response, or a server error, or no address that may be asked. */
  'failed',
  /** Nothing was sent because of a bound of this server. */
  'postponed',
] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * Redirects that hold for now only, such as that of a host to a page about its maintenance: they are not followed, and
 * say as little of the delivery as a server error.
 */
const temporaryRedirects: ReadonlySet<number> = new Set([302, 303, 307]);

/** Whether the status says that the host cannot process this now, perhaps because of the delivery itself. */
export function isUnprocessed(status: number): boolean {
  return status === 500 || temporaryRedirects.has(status);
}

/** As Mastodon interprets statuses: a client error ends the delivery, except those about timing; 501 ends it too. */
export function verdictOf(result: DeliveryResult): Verdict {
  if (!result.ok) {
    if (result.kind === 'blocked') return 'dropped';
    return result.fault === 'busy' ? 'postponed' : 'failed';
  }
  const { status } = result;
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 429 || status === 503) return result.retryAfterMilliseconds === undefined ? 'failed' : 'throttled';
  if (status === 401 || status === 403) return 'refused';
  if (status === 408 || temporaryRedirects.has(status)) return 'failed';
  if (status === 410) return 'gone';
  return status >= 500 && status !== 501 ? 'failed' : 'dropped';
}

/** The wait after so many failures in a row; `random` is from 0 up to 1 (excluded). */
export function hostWaitMilliseconds(failures: number, random: number): number {
  const waits = egressLimits.hostWaitsMilliseconds;
  const wait = waits[Math.min(failures, waits.length) - 1] ?? waits[0];
  return Math.round(wait * (1 + egressLimits.waitVariation * (2 * random - 1)));
}

/** The wait of a failing host that shows meanwhile that it is alive, after so many of its waits were shortened. */
export function livingHostWaitMilliseconds(shortenedWaits: number): number {
  const waits = egressLimits.livingHostWaitsMilliseconds;
  return waits[Math.min(shortenedWaits, waits.length - 1)]!;
}

/** The shortest pause of a host that asks for so many in a row. */
export function shortestPauseMilliseconds(pauses: number): number {
  const { throttleMillisecondsMin, growingThrottleMillisecondsMax } = egressLimits;
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
  return nextAttemptAt - at < egressLimits.shortenedMillisecondsMin ? undefined : at;
}

/** The longest wait of a host after so many failures in a row, also where it asked for a pause. */
export function longestWaitMilliseconds(failures: number): number {
  return Math.max(hostWaitMilliseconds(failures, 1), fetcherLimits.throttleMillisecondsMax);
}

/** The wait after so many refusals of one delivery; undefined when it is given up. */
export function refusedWaitMilliseconds(attempts: number): number | undefined {
  return egressLimits.refusedWaitsMilliseconds[attempts - 1];
}

/** `failures` in a row at the host, and whether a request is running there. */
export function conditionOf(failures: number, isTrying: boolean): LaneCondition {
  if (failures === 0) return 'healthy';
  if (isTrying) return 'probing';
  return failures >= egressLimits.deadFailures ? 'dead' : 'backing off';
}
