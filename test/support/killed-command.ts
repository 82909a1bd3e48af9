/** Commands of the operator as processes that are killed at a random moment, with everything they started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SeededRandom } from '../sim/random.ts';
import { until } from './until.ts';

const startFile = join(import.meta.dirname, '../../src/start.mjs');

/** In a group of processes of its own. `dataDirectory`: that of its environment. */
export function startToKill(dataDirectory: string, words: readonly string[]): ChildProcess {
  const env = { ...process.env, MURMURATION_DATA_DIR: dataDirectory };
  return spawn(process.execPath, [startFile, ...words], { detached: true, stdio: 'ignore', env });
}

/** Its exit code and signal. */
export function ended(child: ChildProcess): Promise<unknown[]> {
  return child.exitCode === null && child.signalCode === null
    ? once(child, 'exit')
    : Promise.resolve([child.exitCode, child.signalCode]);
}

export async function kill(child: ChildProcess): Promise<void> {
  const end = ended(child);
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch (error) {
    // It came to its end before.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await end;
}

interface Moment {
  /** How long a whole run takes. */
  readonly runMilliseconds: number;
  /** The part of it that matters has begun. */
  hasBegun(): boolean;
}

/** At any moment of a whole run, or soon after what matters has begun, which may be a small part of it. */
export async function passTime(random: SeededRandom, child: ChildProcess, moment: Moment): Promise<void> {
  const pass = async (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    await until(() => performance.now() >= end, { description: 'a moment to come' });
  };
  if (random.chance(0.5)) {
    await pass(random.below(moment.runMilliseconds));
    return;
  }
  await until(() => child.exitCode !== null || moment.hasBegun(), { description: 'the work to begin' });
  await pass(random.below(100));
}
