/** Bounds of reports, as the Mastodon API has them where it says so. */
export const reportLimits = {
  commentCharactersMax: 1_000,
  /** UTF-16 units of what another server writes; the rest is cut off. */
  remoteCommentCharactersMax: 5_000,
  /** Statuses in one report. */
  statusesMax: 100,
  /** Reports of one remote host within a day; more are dropped. */
  perHostAndDayMax: 400,
} as const;
