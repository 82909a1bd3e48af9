/** What the response to a POST means for its lane. Pure. */
import type { DeliveryResult } from '../fetcher/deliver.ts';
import type { Outcome } from './outcome.ts';

/**
 * Redirects that hold for now only, such as that of a host to a page about its maintenance: they are not followed, and
 * say as little of the entry as a server error.
 */
const temporaryRedirects: ReadonlySet<number> = new Set([302, 303, 307]);

/**
 * As Mastodon interprets statuses: a client error ends the delivery, except those about timing; 501 ends it too. 410
 * counts for one target, not for the whole host.
 */
export function outcomeOfResponse(result: DeliveryResult): Outcome {
  if (result.ok) return outcomeOfStatus(result.status, result.retryAfterMilliseconds);
  const status = undefined;
  if (result.kind === 'blocked') return { verdict: 'dropped', status };
  if (result.fault === 'busy') return { verdict: 'postponed', status };
  return { verdict: 'failed', status, isPerhapsTheEntry: result.fault === 'timedOut', fault: result.fault };
}

function outcomeOfStatus(status: number, pauseMilliseconds: number | undefined): Outcome {
  if (status >= 200 && status < 300) return { verdict: 'delivered', status };
  if ((status === 429 || status === 503) && pauseMilliseconds !== undefined)
    return { verdict: 'throttled', status, pauseMilliseconds };
  if (status === 401 || status === 403) return { verdict: 'refused', status };
  if (status === 410) return { verdict: 'gone', status, isWholeHost: false };
  if (isFailure(status)) return { verdict: 'failed', status, isPerhapsTheEntry: isUnprocessed(status) };
  return { verdict: 'dropped', status };
}

function isFailure(status: number): boolean {
  if (status === 408 || status === 429 || temporaryRedirects.has(status)) return true;
  return status >= 500 && status !== 501;
}

/** Whether the status says that the host cannot process this now, perhaps because of the entry itself. */
function isUnprocessed(status: number): boolean {
  return status === 500 || temporaryRedirects.has(status);
}
