/** Which core a process of a pinned run gets: what is measured has one to itself, the generator another. */
import { availableParallelism } from 'node:os';

/** Throws where there is only one core: nothing runs alone there. */
export function coresOfPinnedRun(): { readonly measured: number; readonly generator: number } {
  if (availableParallelism() < 2) throw new Error('a pinned run needs two cores');
  return { measured: 0, generator: 1 };
}
