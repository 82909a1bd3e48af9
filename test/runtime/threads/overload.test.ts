/** More calls than an owner can answer: what cannot be answered in time is refused at once, the rest is answered. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Supervisor } from '../../../src/runtime/threads/supervisor.ts';
import { builtEntry } from '../../support/built.ts';
import { playerOf } from '../support/players.ts';
import type { StageRequest, StageShared } from './fixtures/stage-shared.ts';

const entry = builtEntry(new URL('./fixtures/stage-entry.ts', import.meta.url));

const alice = playerOf(0, 1, 1);
const calls = 20_000;

let folder: string;
let supervisor: Supervisor<StageShared>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-overload-'));
  supervisor = new Supervisor<StageShared>({
    entry,
    counts: { owner: 1, network: 1, gateway: 1 },
    shared: { folder, partitions: 1 },
    boot: 1,
    report: () => undefined,
    gaveUp: () => undefined,
  });
  await supervisor.start();
});

afterEach(async () => {
  await supervisor.stop();
  rmSync(folder, { recursive: true, force: true });
});

function flood(milliseconds: number): Promise<unknown> {
  const request: StageRequest = { what: 'flood', player: alice, script: 'work', argument: milliseconds, calls };
  return supervisor.admin(request);
}

test('none of them expires in the queue, and the next is served', async () => {
  // Twenty seconds of work, of which an owner that took it all would answer half in time.
  const counts = (await flood(1)) as Record<string, number>;
  expect(Object.keys(counts).sort()).toEqual(['answered', 'overloaded']);
  expect(counts.answered! + counts.overloaded!).toBe(calls);
  expect(counts.answered).toBeGreaterThanOrEqual(64);
  const call: StageRequest = { what: 'call', player: alice, script: 'add', argument: 1 };
  expect(await supervisor.admin(call)).toEqual({ value: 1 });
});
