import { describe, expect, it } from 'vitest';
import {
  conditionOf,
  hostWaitMilliseconds,
  refusedWaitMilliseconds,
  type Verdict,
  verdictOf,
} from '../../../src/federation/delivery/retry-policy.ts';
import type { DeliveryResult } from '../../../src/outbound/fetcher/deliver.ts';
import type { NetworkFault } from '../../../src/outbound/fetcher/network-fault.ts';

const minute = 60_000;
const hour = 60 * minute;

function answered(status: number, retryAfterMilliseconds?: number): DeliveryResult {
  return { ok: true, status, retryAfterMilliseconds };
}

describe('an answer means', () => {
  it.each<[number, number | undefined, Verdict]>([
    [200, undefined, 'delivered'],
    [202, undefined, 'delivered'],
    [204, undefined, 'delivered'],
    [301, undefined, 'dropped'],
    [302, undefined, 'failed'],
    [303, undefined, 'failed'],
    [307, undefined, 'failed'],
    [308, undefined, 'dropped'],
    [400, undefined, 'dropped'],
    [401, undefined, 'refused'],
    [403, undefined, 'refused'],
    [404, undefined, 'dropped'],
    [405, undefined, 'dropped'],
    [406, undefined, 'dropped'],
    [408, undefined, 'failed'],
    [410, undefined, 'gone'],
    [413, undefined, 'dropped'],
    [415, undefined, 'dropped'],
    [422, undefined, 'dropped'],
    [429, undefined, 'failed'],
    [429, 5_000, 'throttled'],
    [500, undefined, 'failed'],
    [501, undefined, 'dropped'],
    [502, 5_000, 'failed'],
    [503, undefined, 'failed'],
    [503, 0, 'throttled'],
    [504, undefined, 'failed'],
  ])('%i with a pause of %s: %s', (status, pause, verdict) => {
    expect(verdictOf(answered(status, pause))).toBe(verdict);
  });

  it.each<[NetworkFault, Verdict]>([
    ['addressBlocked', 'failed'],
    ['nameUnknown', 'failed'],
    ['connectFailed', 'failed'],
    ['tlsFailed', 'failed'],
    ['timedOut', 'failed'],
    ['connectionLost', 'failed'],
    ['protocolViolation', 'failed'],
    ['busy', 'postponed'],
  ])('none, because of %s: %s', (fault, verdict) => {
    expect(verdictOf({ ok: false, kind: 'unreachable', fault, detail: '' })).toBe(verdict);
  });

  it('nothing, where our own policy forbids the URL: dropped', () => {
    expect(verdictOf({ ok: false, kind: 'blocked', detail: '' })).toBe('dropped');
  });
});

describe('the wait of a host', () => {
  it.each([
    [1, 30_000],
    [2, 2 * minute],
    [3, 10 * minute],
    [4, hour],
    [5, 4 * hour],
    [6, 12 * hour],
    [7, 24 * hour],
    [8, 48 * hour],
    [9, 48 * hour],
    [1_000, 48 * hour],
  ])('after %i failures is %i ms, a fifth more or less', (failures, milliseconds) => {
    expect(hostWaitMilliseconds(failures, 0)).toBe(milliseconds * 0.8);
    expect(hostWaitMilliseconds(failures, 0.5)).toBe(milliseconds);
    expect(hostWaitMilliseconds(failures, 0.999_999)).toBeCloseTo(milliseconds * 1.2, -3);
  });
});

it('a refused delivery is tried twice more', () => {
  expect([1, 2, 3].map(refusedWaitMilliseconds)).toEqual([10 * minute, hour, undefined]);
});

it.each([
  [0, 0, 'healthy'],
  [0, 3, 'healthy'],
  [1, 0, 'backing off'],
  [6, 0, 'backing off'],
  [7, 0, 'dead'],
  [1, 1, 'probing'],
  [9, 1, 'probing'],
])('after %i failures and with requests under way or not (%i) a lane is %s', (failures, underWay, condition) => {
  expect(conditionOf(failures, underWay > 0)).toBe(condition);
});
