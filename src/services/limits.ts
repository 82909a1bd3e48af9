/** Bounds of reading home feeds. */
export const feedLimits = {
  /** A page beyond a ring, or of a list without one, that takes longer to merge is answered as incomplete. */
  mergeMillisecondsMax: 1_000,
  /**
   * Merges of many authors that are under way, for pages and to fill rings. One holds 1.5 KB for each author (measured).
   * More at a time would not be sooner done: a thread takes one slice per round of its event loop.
   */
  mergesUnderWayMax: 8,
  fillsUnderWayMax: 4,
} as const;

/** Of the statuses of authors that are kept for merging homes. */
export const keptStatusLimits = {
  /** Most authors give fewer to a home. */
  perAuthorMax: 40,
  readFirst: 8,
  sharedSummariesMax: 1_000,
} as const;

export const warmHomeLimits = {
  /** Whoever was active so many days ago, or later, is expected back. */
  activeDays: 7,
  /** Accounts looked at in one slice. */
  accountsPerSlice: 200,
  /** Of the rings of a partition: the rest is for whoever comes first. */
  ringShare: 0.5,
  /** Pauses after each home, times what it took: a gateway gives a quarter of its time at most. */
  pauses: 3,
} as const;
