/** Which core a process of a pinned run gets: what is measured has one to itself, the generator another. */
import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';

/** Lets all threads of a process run on every core again. */
export function unpin(processId: number): void {
  const cores = `0-${cpus().length - 1}`;
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(processId)], { stdio: 'ignore' });
}

/** Throws where there is only one core: nothing runs alone there. */
export function coresOfPinnedRun(): { readonly measured: number; readonly generator: number } {
  if (availableParallelism() < 2) throw new Error('a pinned run needs two cores');
  return { measured: 0, generator: 1 };
}
