/** Fields that settings of several parts have. Every description is shown by --help. */
import { z } from 'zod';
import { loadLimits } from '../limits.ts';

const perSecond = z.number().min(0).max(loadLimits.perSecondMax);

/** A number a second, or a line through `[second, a second]`. */
export const rate = z.union(
  [
    perSecond,
    z
      .array(z.tuple([z.number(), perSecond]))
      .min(1)
      .max(100)
      .refine((points) => points.every(([at], index) => index === 0 || at > points[index - 1]![0]), {
        error: 'the seconds of a rate must grow from each point to the next',
      }),
  ],
  { error: `a number a second up to ${loadLimits.perSecondMax}, or points [[second, a second], …] in order of time` },
);

export const share = z.number().min(0).max(1);
/** Seconds since the measured time began. */
export const moment = z.number().min(0).max(loadLimits.secondsMax);
export const count = (most: number, least = 0) => z.number().int().min(least).max(most);
export const timeoutSeconds = z.number().positive().max(loadLimits.timeoutSecondsMax);
export const port = z.number().int().min(1_024).max(65_535);
