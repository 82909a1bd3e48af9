import { describe, expect, it } from 'vitest';
import {
  conditionOf,
  hostWaitMilliseconds,
  refusedWaitMilliseconds,
} from '../../../src/outbound/lanes/retry-policy.ts';

const minute = 60_000;
const hour = 60 * minute;

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
