/** The pause that a host requests with the headers of a 429 or 503. */
import { headerValue, type ResponseHeaders } from './response-headers.ts';

/**
 * Milliseconds from now, by `Retry-After` (seconds or a date, RFC 9110, section 10.2.3), else by `X-RateLimit-Reset` (a
 * date as Mastodon writes it, or seconds since 1970). Undefined without either; never negative, never above
 * `millisecondsMax`.
 */
export function retryAfterMilliseconds(
  headers: ResponseHeaders,
  now: number,
  millisecondsMax: number,
): number | undefined {
  const wait =
    fromRetryAfter(headerValue(headers, 'retry-after'), now) ??
    fromReset(headerValue(headers, 'x-ratelimit-reset'), now);
  return wait === undefined ? undefined : Math.min(Math.max(0, wait), millisecondsMax);
}

function fromRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  return /^\d{1,9}$/.test(value) ? Number(value) * 1000 : fromDate(value, now);
}

function fromReset(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  return /^\d{10}$/.test(value) ? Number(value) * 1000 - now : fromDate(value, now);
}

function fromDate(value: string, now: number): number | undefined {
  // Every date in use contains a letter; `Date.parse` would also read bare numbers, in unexpected ways.
  const milliseconds = /[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds - now;
}
