/** Bounds of how statuses of other servers are forgotten. */
const [hour, day] = [60 * 60 * 1_000, 24 * 60 * 60 * 1_000];

export const retentionLimits = {
  dayMilliseconds: day,
  /** Time to take a rule back before anything goes. */
  firstMilliseconds: hour,
  /** Between the beginnings of two runs, and from the end of a long one. */
  everyMilliseconds: day,
  pauseMilliseconds: hour,
} as const;
