/** Calls after their deadline are not run, and their callers learn that. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Mailboxes } from '../../src/runtime/partition/mailboxes.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { Client } from '../../src/runtime/threads/client.ts';
import { systemClock } from '../../src/runtime/threads/clock.ts';
import { callingThread } from './support/calling-thread.ts';
import { act, notes, playerOf } from './support/players.ts';
import { Rig, startOfRun, startOfTime } from './support/rig.ts';

const lowered = vi.hoisted(() => ({ batchTurnsMax: 4 }));

vi.mock('../../src/runtime/limits.ts', async (original) => {
  const limits = await original<typeof import('../../src/runtime/limits.ts')>();
  return { ...limits, partitionLimits: { ...limits.partitionLimits, ...lowered } };
});

const alice = playerOf(0, 1);
const flow = 'account:1';
const expired = { ok: false, failure: { code: 'expired' } };

describe('a partition', () => {
  let rig: Rig;
  let ran: unknown[];

  beforeEach(() => {
    rig = new Rig();
    ran = [];
    rig.scripts.define('work', (turn, argument) => {
      ran.push(argument);
      turn.put(notes, [alice, 1], String(argument));
    });
  });

  const work = (argument: unknown, deadline?: number) => rig.call(act(alice, 'work', argument), flow, deadline);

  test.each([
    ['long ago', -60_000, false],
    ['this moment', 0, false],
    ['soon', 1, true],
  ])('a call whose deadline is %s', (_when, wait, runs) => {
    const call = work('late', startOfRun + wait);
    rig.settle();
    expect(ran).toEqual(runs ? ['late'] : []);
    expect(rig.repliesTo(call)).toEqual([runs ? { ok: true, value: undefined } : expired]);
  });

  test('calls that wait behind a stuck append are refused in time, and never run', () => {
    work('in flight');
    rig.run();
    const filling = [1, 2, 3, 4].map((number) => work(number, startOfRun + 1_000));
    const waiting = [5, 6].map((number) => work(number, startOfRun + 1_000));
    const patient = work('patient', startOfRun + 60_000);
    rig.run();
    expect(rig.seat.wakeAt).toBe(startOfRun + 1_000);
    rig.pass(1_000);
    rig.run();
    expect(waiting.map((call) => rig.repliesTo(call))).toEqual([[expired], [expired]]);
    expect(filling.flatMap((call) => rig.repliesTo(call))).toEqual([]);
    rig.settle();
    expect(ran).toEqual(['in flight', 1, 2, 3, 4, 'patient']);
    expect([...filling, patient].map((call) => rig.repliesTo(call).length)).toEqual([1, 1, 1, 1, 1]);
  });

  test.each([
    ['back', -3_600_000],
    ['ahead', 3_600_000],
  ])('the same calls are run and refused though the wall clock was set %s meanwhile', (_where, jump) => {
    work('in flight');
    rig.run();
    const late = [1, 2, 3, 4, 5].map((number) => work(number, startOfRun + 1_000));
    const patient = work('patient', startOfRun + 60_000);
    rig.now += jump;
    rig.run();
    rig.pass(1_000);
    rig.run();
    expect(late.map((call) => rig.refusalOf(call))).toEqual([...new Array(4).fill(undefined), 'expired']);
    rig.settle();
    expect(rig.valueOf(patient)).toBeUndefined();
    expect(ran).toEqual(['in flight', 1, 2, 3, 4, 'patient']);
  });

  test.each([
    ['back, is not run after its deadline', -3_600_000, 2_000, []],
    ['ahead, is run before its deadline', 3_600_000, 500, ['call']],
  ])('a call that waited while the wall clock was set %s', (_what, jump, passed, runs) => {
    const call = work('call', startOfRun + 1_000);
    rig.now += jump;
    rig.elapse(passed);
    rig.settle();
    expect(ran).toEqual(runs);
    expect(rig.refusalOf(call)).toBe(runs.length === 0 ? 'expired' : undefined);
  });

  test('work that a committed turn handed on has no deadline: it is carried out', () => {
    rig.scripts.define('pass on', (turn) => turn.delegateReply(act(alice, 'work', 'handed on')));
    rig.call(act(alice, 'pass on'), flow, startOfRun + 1);
    rig.run();
    rig.elapse(60_000);
    rig.settle();
    expect(ran).toEqual(['handed on']);
  });
});

describe('mailboxes', () => {
  const call = (key: bigint, deadline: number) => ({ envelope: act(key, 'work'), flow, deadline });

  test('give the expired calls of every actor, and serve the others as before', () => {
    const mailboxes = new Mailboxes();
    for (const deadline of [10, 20, 30]) for (const key of [1n, 2n]) mailboxes.offerCall(call(key, deadline));
    expect(mailboxes.nextDeadline).toBe(10);
    expect(mailboxes.takeExpired(20).map(({ deadline }) => deadline)).toEqual([10, 20, 10, 20]);
    expect([mailboxes.size, mailboxes.nextDeadline]).toEqual([2, 30]);
    expect([mailboxes.take(), mailboxes.take(), mailboxes.take()].map((work) => work?.deadline)).toEqual([
      30,
      30,
      undefined,
    ]);
  });

  test('an actor whose calls have all expired takes new ones', () => {
    const mailboxes = new Mailboxes();
    mailboxes.offerCall(call(1n, 10));
    expect(mailboxes.takeExpired(10)).toHaveLength(1);
    expect([mailboxes.size, mailboxes.take()]).toEqual([0, undefined]);
    mailboxes.offerCall(call(1n, 20));
    mailboxes.takeExpired(20);
    mailboxes.offerCall(call(1n, 30));
    mailboxes.offerCall(call(2n, 30));
    expect([mailboxes.take()?.deadline, mailboxes.take()?.deadline, mailboxes.size]).toEqual([30, 30, 0]);
  });
});

describe('a caller', () => {
  test.each([
    ['back', -3_600_000],
    ['ahead', 3_600_000],
  ])('gives up in time, and not earlier, though the clock was set %s an hour', async (_where, jump) => {
    vi.useFakeTimers({ now: startOfTime });
    try {
      const { thread } = callingThread();
      const client = new Client(thread, evenPlacement(1), () => undefined);
      let outcome = 'waits';
      client.call(act(alice, 'work'), flow).catch((error: { code: string }) => {
        outcome = error.code;
      });
      vi.setSystemTime(startOfTime + jump);
      const outcomes: string[] = [];
      for (const wait of [9_500, 1_000]) {
        await vi.advanceTimersByTimeAsync(wait);
        outcomes.push(outcome);
      }
      expect(outcomes).toEqual(['waits', 'outcomeUnknown']);
      client.close();
    } finally {
      vi.useRealTimers();
    }
  });

  test('sends the time by which its call must begin, and waits a little longer for the answer', async () => {
    vi.useFakeTimers({ now: startOfTime });
    try {
      const begun = systemClock.monotonic();
      const { thread, sent } = callingThread();
      const client = new Client(thread, evenPlacement(1), () => undefined);
      const outcomes = [1, 2].map((number) =>
        client.call(act(alice, 'work', number), flow).then(
          () => 'done',
          (error: { code: string }) => error.code,
        ),
      );
      const [first] = sent;
      expect(sent.map(({ deadline }) => deadline - begun)).toEqual([9_000, 9_000]);
      vi.advanceTimersByTime(9_500);
      client.replied({
        type: 'reply',
        handle: first!.replyTo,
        result: { ok: false, failure: expired.failure as never },
      });
      vi.advanceTimersByTime(1_000);
      expect(await Promise.all(outcomes)).toEqual(['expired', 'outcomeUnknown']);
      client.close();
    } finally {
      vi.useRealTimers();
    }
  });
});
