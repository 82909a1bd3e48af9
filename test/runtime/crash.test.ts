/** A process under write load is killed at any moment; what it acknowledged is on its disk. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../sim/random.ts';
import { builtEntry } from '../support/built.ts';
import { CrashRounds, crashChild } from './support/crash-rounds.ts';

const child = builtEntry(crashChild);
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const rounds = isLong ? 50 : 5;

let folder: string;
let crashes: CrashRounds;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmuration-crash-'));
  crashes = new CrashRounds(child, folder, new SeededRandom(7));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

test.each(Array.from({ length: rounds }, (_, index) => index + 1))('round %d', async () => {
  expect(await crashes.crash()).toBeGreaterThan(0);
  crashes.checkFiles();
  await crashes.checkBooks();
});
