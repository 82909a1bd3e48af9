import { describe, expect, it } from 'vitest';
import { Alarms } from '../../../src/outbound/lanes/alarms.ts';
import { ConnectionBudget } from '../../../src/outbound/lanes/connection-budget.ts';
import { LaneHealth } from '../../../src/outbound/lanes/lane-health.ts';
import { laneLimits } from '../../../src/outbound/lanes/limits.ts';

function windowOf(health: LaneHealth): number {
  let underWay = 0;
  while (health.allows(Number.MAX_SAFE_INTEGER, underWay)) underWay += 1;
  return underWay;
}

describe('the window of a host', () => {
  it('grows by one after each window of successes, up to a bound', () => {
    const health = new LaneHealth(undefined);
    const windows = [windowOf(health)];
    for (let successes = 1; successes <= 200; successes += 1) {
      health.succeeded(successes, windowOf(health));
      if (windowOf(health) !== windows.at(-1)) windows.push(windowOf(health));
    }
    expect(windows).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  });

  it('does not grow where it is not used', () => {
    const health = new LaneHealth(undefined);
    for (let successes = 1; successes <= 100; successes += 1) health.succeeded(successes, 1);
    expect(windowOf(health)).toBe(laneLimits.windowStart);
  });

  it('is halved by a fault that does not make the host a failing one, and never closed', () => {
    const health = new LaneHealth(undefined);
    for (let successes = 1; successes <= 50; successes += 1) health.succeeded(successes, windowOf(health));
    const before = windowOf(health);
    health.slowDown();
    expect(windowOf(health)).toBe(before >> 1);
    for (let faults = 0; faults < 5; faults += 1) health.slowDown();
    expect(windowOf(health)).toBe(1);
  });

  it('is one while the host is failing, at the end of each wait, and one when it has recovered', () => {
    const health = new LaneHealth(undefined);
    health.failed(1_000, 500, 0.5);
    expect(health.allows(30_999, 0)).toBe(false);
    expect([health.allows(31_000, 0), health.allows(31_000, 1)]).toEqual([true, false]);
    expect(health.succeeded(31_100, 1)).toBe(true);
    expect(windowOf(health)).toBe(1);
    expect(health.succeeded(31_200, 1)).toBe(false);
    expect(windowOf(health)).toBe(2);
  });
});

describe('failures', () => {
  it('that ran side by side count as one', () => {
    const health = new LaneHealth(undefined);
    for (let request = 0; request < 10; request += 1) health.failed(2_000 + request, 1_000 + request, 0.5);
    expect([health.failures, health.failingSince]).toEqual([1, 2_000]);
    health.failed(40_000, 35_000, 0.5);
    expect([health.failures, health.failingSince, health.nextAttemptAt]).toEqual([2, 2_000, 160_000]);
  });

  it('are forgotten when the host answers, even with a refusal', () => {
    const health = new LaneHealth({ failures: 5, failingSince: 1, nextAttemptAt: 99_000 });
    expect(health.answered(99_100)).toBe(true);
    expect(health).toMatchObject({ failures: 0, failingSince: undefined, nextAttemptAt: 0, isProved: true });
  });

  it('are not counted up by a host that asks for a pause', () => {
    const health = new LaneHealth(undefined);
    for (let pause = 0; pause < 6; pause += 1) health.throttled(pause * 60_000, pause * 60_000, 60_000);
    expect(health).toMatchObject({ failures: 1, nextAttemptAt: 360_000 });
  });

  it('of a host that asks for short pauses again and again are met with longer ones, until it answers', () => {
    const health = new LaneHealth(undefined);
    const waits = Array.from({ length: 12 }, () => {
      const now = health.nextAttemptAt + 100;
      // Of parallel requests, which count as one.
      for (let request = 0; request < 16; request += 1) health.throttled(now, now - 50, 0);
      return (health.nextAttemptAt - now) / 1_000;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    health.answered(10_000_000);
    health.throttled(10_000_000, 9_999_000, 3_000);
    expect(health.nextAttemptAt).toBe(10_003_000);
  });

  it('of a host that says it is gone are the last of the table at once', () => {
    const health = new LaneHealth(undefined);
    health.gone(1_000, 0.5);
    expect(health.condition(0)).toBe('dead');
    expect(health.nextAttemptAt).toBe(1_000 + 48 * 3_600_000);
  });
});

describe('the budget of connections', () => {
  it('is spent at once and refilled as time passes', () => {
    const budget = new ConnectionBudget(100);
    const take = (now: number, count: number) => Array.from({ length: count }, () => budget.take(now)).filter(Boolean);
    expect(take(0, 150)).toHaveLength(100);
    expect(take(0, 10)).toHaveLength(0);
    expect(budget.waitMilliseconds).toBe(10);
    expect(take(50, 10)).toHaveLength(5);
    expect(take(10_000, 200)).toHaveLength(100);
  });
});

describe('alarms', () => {
  it('come in the order of their times, the one set last for each', () => {
    const alarms = new Alarms<{ name: string; alarmAt: number }>();
    const sleepers = ['alice', 'bob', 'carol'].map((name) => ({ name, alarmAt: Infinity }));
    const [alice, bob, carol] = sleepers;
    alarms.set(alice!, 30);
    alarms.set(bob!, 10);
    alarms.set(carol!, 20);
    alarms.set(bob!, 40);
    alarms.set(carol!, Infinity);
    expect(alarms.nextAt).toBe(30);
    expect([alarms.take(29), alarms.take(30)?.name, alarms.take(39), alarms.take(40)?.name]).toEqual([
      undefined,
      'alice',
      undefined,
      'bob',
    ]);
    expect([alarms.nextAt, alarms.take(1_000)]).toEqual([Infinity, undefined]);
  });
});
