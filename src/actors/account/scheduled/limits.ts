/** Statuses that wait for their time (behaviour of the Mastodon API). */
export const scheduledLimits = {
  perAccountMax: 300,
  /** With the same day of publication, in UTC. */
  perDayMax: 25,
  aheadMillisecondsMin: 5 * 60 * 1000,
  /** After a publication that could not be made for now. */
  retryMilliseconds: 60 * 1000,
} as const;
