/** How V8 collects garbage in the threads of a server. */
import { setFlagsFromString } from 'node:v8';

/**
 * To be called when all threads have started: code that V8 compiled with other flags does not fit any more, neither that of
 * the build nor what Node brings of its own modules, which takes each thread a tenth of a second to compile (measured: 4 %
 * of a start).
 *
 * Most of what a gateway allocates for a request lives until the commit that the request waits for: some milliseconds,
 * but whenever V8 collects young objects it finds many requests waiting. It would conclude that parsed parameters,
 * headers and messages live long, and would allocate them among the old objects, where only a mark-compact of the whole
 * heap finds them dead (measured: 7 KB a post, a mark-compact of a gateway each second, 8 % of the CPU of a post).
 */
export function chooseGarbageCollection(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
