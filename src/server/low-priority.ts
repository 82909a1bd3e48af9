/** Lets everything else on the machine go first: for commands that work long beside a server. */
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const threadsFolder = '/proc/self/task';

/**
 * Linux gives each thread a priority of its own, and those that compress and write exist before a command can say anything: all
 * are asked. Elsewhere the process has one.
 */
export function giveWay(): void {
  const { PRIORITY_BELOW_NORMAL: wanted } = constants.priority;
  for (const thread of threadsOf()) {
    try {
      if (getPriority(thread) < wanted) setPriority(thread, wanted);
    } catch (error) {
      if (!hasEnded(error)) throw error;
    }
  }
}

function hasEnded(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR' && / ESRCH\b/.test(error.message)
  );
}

/** 0 stands for the one that calls. */
function threadsOf(): number[] {
  try {
    return [0, ...readdirSync(threadsFolder).map(Number)];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [0];
    throw error;
  }
}
