/** Who is served while more is asked for than can be done, in virtual time. */
import { describe, expect, it } from 'vitest';
import { askerOf, FairShares, fairShareLimits } from '../../../src/gateway/http/fair-shares.ts';
import { threadLimits } from '../../../src/runtime/limits.ts';

const { callWaitMillisecondsMax } = threadLimits;

interface Asking {
  readonly name: string;
  readonly weight?: number;
  /** Requests a second. */
  readonly perSecond: number;
}

/** A server that does `perSecond`, with whatever is asked of it; how many requests of each were served. */
function served(perSecond: number, asking: readonly Asking[], seconds: number) {
  const shares = new FairShares();
  const counts = new Map(asking.map(({ name }) => [name, 0]));
  const waits: number[] = [];
  let queue = 0;
  const due = asking.map(() => 0);
  for (let now = 0; now < seconds * 1_000; now += 10) {
    queue = Math.max(0, queue - perSecond / 100);
    asking.forEach(({ name, weight = 1, perSecond: rate }, index) => {
      for (due[index]! += rate / 100; due[index]! >= 1; due[index]! -= 1) {
        if (!shares.admits((queue * 1_000) / perSecond, now, () => ({ name, weight }))) continue;
        queue += 1;
        counts.set(name, counts.get(name)! + 1);
      }
    });
    waits.push((queue * 1_000) / perSecond);
  }
  return {
    of: (name: string) => counts.get(name)!,
    total: [...counts.values()].reduce((sum, one) => sum + one),
    waits,
  };
}

const crowd = (count: number, perSecond: number): Asking[] =>
  Array.from({ length: count }, (_, number) => ({ name: `crowd ${number}`, perSecond }));

describe('while more is asked for than can be done', () => {
  it('who posts for the first time in a while is served at once', () => {
    const { of } = served(100, [...crowd(500, 2), { name: 'quiet', perSecond: 0.05 }], 200);
    expect(of('quiet')).toBeGreaterThanOrEqual(9);
  });

  it('the rest is shared equally, whatever one asks for', () => {
    const { of } = served(100, [...crowd(200, 2), { name: 'greedy', perSecond: 50 }], 200);
    expect(of('greedy')).toBeLessThan(2 * of('crowd 7'));
    expect(of('greedy')).toBeGreaterThan(of('crowd 7') / 2);
  });

  it('what can be done is done, and the wait stays where requests are served in time', () => {
    const { total, waits } = served(100, crowd(500, 2), 200);
    expect(total).toBeGreaterThan(0.9 * 100 * 200);
    expect(Math.max(...waits)).toBeLessThanOrEqual(callWaitMillisecondsMax * 1.1);
  });

  it('a server counts for many people', () => {
    const { of } = served(
      100,
      [...crowd(500, 2), { name: 'server', weight: fairShareLimits.serverWeight, perSecond: 50 }],
      200,
    );
    expect(of('server') / of('crowd 7')).toBeGreaterThan(fairShareLimits.serverWeight / 2);
    expect(of('server') / of('crowd 7')).toBeLessThan(fairShareLimits.serverWeight * 2);
  });
});

it('nobody is asked for a name while there is no queue, nor again when it is over', () => {
  const shares = new FairShares();
  const stranger = () => {
    throw new Error('nobody has to know');
  };
  expect(shares.admits(0, 0, stranger)).toBe(true);
  expect(shares.admits(callWaitMillisecondsMax + 1, 100, stranger)).toBe(false);
  for (let now = 200; now < 20_000; now += 100) shares.admits(0, now, () => ({ name: 'anybody', weight: 1 }));
  expect(shares.admits(0, 20_000, stranger)).toBe(true);
});

it('those of longest ago are forgotten', () => {
  const shares = new FairShares();
  const ask = (name: string, now: number) =>
    shares.admits(fairShareLimits.waitMilliseconds + 1, now, () => ({ name, weight: 1 }));
  expect([ask('first', 0), ask('first', 1)]).toEqual([true, false]);
  for (let other = 0; other < fairShareLimits.knownMax; other += 1) ask(`other ${other}`, 2);
  expect(ask('first', 3)).toBe(true);
});

it.each([
  ['by its token', { token: 'Bearer a', ip: '192.0.2.1', path: '/api/v1/statuses' }, 'Bearer a', 1],
  ['by its address', { token: undefined, ip: '192.0.2.1', path: '/oauth/token' }, '192.0.2.1', 1],
  ['by its network', { token: undefined, ip: '2001:db8:1:2:3::1', path: '/login' }, '2001:db8:1:2', 1],
  [
    'as a server',
    { token: undefined, ip: '192.0.2.1', path: '/users/a/inbox' },
    '192.0.2.1',
    fairShareLimits.serverWeight,
  ],
])('a request is known %s', (_how, { token, ip, path }, name, weight) => {
  expect(askerOf({ header: () => token, ip, path })).toEqual({ name, weight });
});
