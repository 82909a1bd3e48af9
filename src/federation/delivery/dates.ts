/**
 * Lanes reckon with moments of the monotonic clock. What is stored or shown of them are dates of the wall clock, which
 * somebody may set at any time: they are converted when they are written and when they are read.
 */
import type { Clock } from '../../runtime/ports.ts';

/** In milliseconds since 1970. */
export function dateOf(clock: Clock, moment: number): number;
export function dateOf(clock: Clock, moment: number | undefined): number | undefined;
export function dateOf(clock: Clock, moment: number | undefined): number | undefined {
  return moment === undefined ? undefined : Math.round(clock.now() + moment - clock.monotonic());
}

export function momentOf(clock: Clock, date: number): number;
export function momentOf(clock: Clock, date: number | undefined): number | undefined;
export function momentOf(clock: Clock, date: number | undefined): number | undefined {
  return date === undefined ? undefined : clock.monotonic() + date - clock.now();
}
