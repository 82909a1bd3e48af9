/** More calls than an owner can answer: those that would be late are refused at once, the others answered. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { asFailure, Failure, toWireFailure } from '../../../src/runtime/errors.ts';
import { threadLimits } from '../../../src/runtime/limits.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import { Client } from '../../../src/runtime/threads/client.ts';
import { systemClock } from '../../../src/runtime/threads/clock.ts';
import { Supervisor } from '../../../src/runtime/threads/supervisor.ts';
import { builtEntry } from '../../support/built.ts';
import { callingThread } from '../support/calling-thread.ts';
import { act, playerOf } from '../support/players.ts';
import { rolesOf } from '../support/roles.ts';
import type { StageRequest, StageShared } from './fixtures/stage-shared.ts';

const alice = playerOf(0, 1, 1);
const calls = 10_000;

describe('an owner that answers so many calls a second', () => {
  const tickMilliseconds = 20;

  afterEach(() => void vi.useRealTimers());

  /** A caller, and an owner that takes one call after the other unless it came too late; in virtual time. */
  class Counter {
    private readonly peer = callingThread();
    private readonly client = new Client(this.peer.thread, evenPlacement(1), () => undefined);
    private readonly perSecond: number;

    constructor(perSecond: number) {
      this.perSecond = perSecond;
    }

    /** Asks all at once. Answers how many ended in which way, and how long the last of them waited. */
    async flood(): Promise<{ counts: Record<string, number>; milliseconds: number }> {
      const counts: Record<string, number> = {};
      const begun = Date.now();
      let last = begun;
      let ended = 0;
      const note = (outcome: string) => {
        counts[outcome] = (counts[outcome] ?? 0) + 1;
        ended += 1;
        last = Date.now();
      };
      for (let number = 0; number < calls; number += 1)
        this.client.call(act(alice, 'work'), `flow ${number}`).then(
          () => note('answered'),
          (error: unknown) => note(asFailure(error).code),
        );
      while (ended < calls) {
        await vi.advanceTimersByTimeAsync(tickMilliseconds);
        this.answer((this.perSecond * tickMilliseconds) / 1_000);
      }
      return { counts, milliseconds: last - begun };
    }

    private answer(count: number): void {
      const late = { ok: false, failure: toWireFailure(new Failure('expired')) } as const;
      for (const { replyTo, deadline } of this.peer.sent.splice(0, count)) {
        const result = deadline > systemClock.monotonic() ? ({ ok: true, value: undefined } as const) : late;
        this.client.replied({ type: 'reply', handle: replyTo, result });
      }
    }

    close(): void {
      this.client.close();
    }
  }

  // Ten thousand at once are more than each of them answers before the callers give up.
  test.each([250, 1_000])('%i: none of them expires in the queue', async (perSecond) => {
    vi.useFakeTimers();
    const counter = new Counter(perSecond);
    const first = await counter.flood();
    const second = await counter.flood();
    for (const { counts } of [first, second]) {
      expect(Object.keys(counts).sort()).toEqual(['answered', 'overloaded']);
      expect(counts.answered).toBeGreaterThanOrEqual(threadLimits.callsAlwaysAdmitted);
    }
    // By then it is known how quick the owner is.
    expect(second.milliseconds).toBeLessThan(threadLimits.callWaitMillisecondsMax * 1.2);
    counter.close();
  });
});

test('over real threads each call is answered or refused, and the next is served', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-overload-'));
  const supervisor = new Supervisor<StageShared>({
    entry: builtEntry(new URL('./fixtures/stage-entry.ts', import.meta.url)),
    roles: rolesOf({ owner: 1, network: 1, gateway: 1 }),
    shared: { folder, partitions: 1 },
    boot: 1,
    report: () => undefined,
    gaveUp: () => undefined,
  });
  try {
    await supervisor.start();
    const flood: StageRequest = { what: 'flood', player: alice, script: 'total', calls };
    const counts = (await supervisor.admin(flood)) as Record<string, number>;
    expect(Object.keys(counts).sort()).toEqual(['answered', 'overloaded']);
    expect(counts.answered! + counts.overloaded!).toBe(calls);
    expect(counts.answered).toBeGreaterThanOrEqual(threadLimits.callsAlwaysAdmitted);
    const call: StageRequest = { what: 'call', player: alice, script: 'add', argument: 1 };
    expect(await supervisor.admin(call)).toEqual({ value: 1 });
  } finally {
    await supervisor.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
