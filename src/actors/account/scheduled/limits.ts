/** Bounds of scheduled statuses (behaviour of the Mastodon API). */
export const scheduledLimits = {
  perAccountMax: 300,
  /** With the same day of publication, in UTC. */
  perDayMax: 25,
  aheadMillisecondsMin: 5 * 60 * 1000,
  /** Pause after a publication that failed temporarily. */
  retryMilliseconds: 60 * 1000,
} as const;
