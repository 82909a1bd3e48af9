/** Bounds of reports; those that the Mastodon API states are the same here. */
export const reportLimits = {
  commentCharactersMax: 1_000,
  /** UTF-16 units of a remote comment; the rest is cut off. */
  remoteCommentCharactersMax: 5_000,
  /** Statuses in one report. */
  statusesMax: 100,
  /** Collections in one report: as many as are kept of one account. */
  collectionsMax: 50,
  /** Reports of one remote host per day; more are dropped. */
  perHostAndDayMax: 400,
} as const;
