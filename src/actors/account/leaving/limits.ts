/** Bounds of what accounts take along. */
const day = 24 * 60 * 60 * 1_000;

export const leavingLimits = {
  /** At most one archive in this time, as in Mastodon; one that failed does not count. */
  archiveEveryMilliseconds: 7 * day,
  archiveKeptMilliseconds: 7 * day,
} as const;
