import { expect, it } from 'vitest';
import { retryAfterMilliseconds } from '../../../src/outbound/fetcher/retry-after.ts';

const now = Date.UTC(2026, 10, 20, 12);
const hour = 3_600_000;

it.each([
  [{ 'retry-after': '120' }, 120_000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': 'Fri, 20 Nov 2026 12:05:00 GMT' }, 300_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after': '99999999' }, hour],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': ['30', '40'] }, undefined],
  [{ 'x-ratelimit-reset': '2026-11-20T12:05:00.000Z' }, 300_000],
  [{ 'x-ratelimit-reset': String(now / 1000 + 60) }, 60_000],
  [{ 'retry-after': '10', 'x-ratelimit-reset': '2026-11-20T12:05:00.000Z' }, 10_000],
  [{ 'retry-after': 'soon', 'x-ratelimit-reset': '2026-11-20T12:05:00.000Z' }, 300_000],
  [{}, undefined],
])('%o', (headers, expected) => {
  expect(retryAfterMilliseconds(headers, now, hour)).toBe(expected);
});
