/**
 * Times of lanes: moments of the monotonic clock in memory, dates of the wall clock where they are stored or shown. The
 * wall clock may be set at any time, so each time is converted when it is written or read.
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
