/**
 * Open loop: what is due follows from the clock alone, never from answers. Each arrival gets the moment at which it was due,
 * from which its latency counts, however late this process or the server is.
 */

/** A rate a second, or a line through (seconds since the measured time began, rate a second), level before and after. */
export type Rate = number | readonly (readonly [seconds: number, perSecond: number])[];

const tickMilliseconds = 2;
/** Of sums of fractions. */
const tolerance = 1e-6;

export interface Schedule {
  readonly rate: Rate;
  /** Milliseconds of the monotonic clock: the moments of the rate count from `measuredFrom`. */
  readonly startAt: number;
  readonly measuredFrom: number;
  readonly endAt: number;
  readonly signal: AbortSignal;
  readonly now?: () => number;
}

/** Calls `due` for every arrival; settles at the end, or when the signal is aborted. */
export function arrive(schedule: Schedule, due: (dueAt: number, number: number) => void): Promise<void> {
  const { rate, startAt, measuredFrom, endAt, signal, now = () => performance.now() } = schedule;
  const countAt = (moment: number) => arrivalsUntil(rate, (moment - measuredFrom) / 1_000);
  const origin = countAt(startAt);
  let last = startAt;
  let lastCount = 0;
  let number = 0;
  return new Promise((resolve) => {
    const tick = () => {
      const moment = Math.min(now(), endAt);
      const count = countAt(moment) - origin;
      for (; number < count - tolerance; number += 1) {
        const share = Math.max(0, number - lastCount) / (count - lastCount);
        due(last + share * (moment - last), number);
      }
      last = Math.max(last, moment);
      lastCount = count;
      if (signal.aborted || moment >= endAt) resolve();
      else setTimeout(tick, tickMilliseconds);
    };
    setTimeout(tick, Math.max(0, startAt - now()));
  });
}

/** The integral of the rate from 0 to a moment, which may be negative. */
export function arrivalsUntil(rate: Rate, seconds: number): number {
  if (typeof rate === 'number') return rate * seconds;
  const [first, last] = [rate[0], rate.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const [firstAt, firstRate] = first;
  const [lastAt, lastRate] = last;
  if (seconds <= firstAt) return firstRate * (seconds - firstAt);
  let sum = 0;
  for (const [index, [from, fromRate]] of rate.entries()) {
    const next = rate[index + 1];
    if (next === undefined || from >= seconds) break;
    const [to, toRate] = next;
    const until = Math.min(to, seconds);
    const untilRate = fromRate + ((toRate - fromRate) * (until - from)) / (to - from);
    sum += ((fromRate + untilRate) / 2) * (until - from);
  }
  return sum + lastRate * Math.max(0, seconds - lastAt);
}

/** How many were asked for between two moments, in seconds since the measured time began. */
export function arrivalsBetween(rate: Rate, from: number, to: number): number {
  return arrivalsUntil(rate, to) - arrivalsUntil(rate, from);
}
