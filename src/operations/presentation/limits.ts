/** Bounds of what a gateway thread caches for showing statuses. */
export const presentationLimits = {
  statesPerViewerMax: 2_000,
  /**
   * Recently changed statuses that are remembered, so that a status published at the same time is not cached in an
   * older version.
   */
  recentChangesMax: 2_000,
  /** Statuses whose last decision is cached, per viewer and context: some pages. */
  shownPerContextMax: 160,
  /** Combinations of viewer state that are cached in encoded form; there are few as long as all fields are flags. */
  sharedStatesMax: 1_000,
  /**
   * Reads from storage, statuses examined, and time between two pauses of long work, whichever is first; statuses examined
   * in one go.
   */
  readsPerSlice: 64,
  statusesPerSlice: 256,
  sliceMillisecondsMax: 2,
  statusesAtOnce: 16,
  /** The same of notifications, as many of which count as one status: looking at one is less work. */
  notificationsAtOnce: 16,
  notificationsPerStatus: 4,
  /**
   * The newest notifications of an account: read at first, read at once when older ones are requested, and cached then.
   */
  notificationsReadFirst: 40,
  notificationsReadNext: 60,
  notificationsKeptMax: 400,
  /** The same for conversations. */
  conversationsReadFirst: 20,
  conversationsReadNext: 20,
  conversationsKeptMax: 80,
  /** Accounts shown for a group in a list. */
  groupSamplesMax: 8,
  /** Long lists of notifications that are made at a time: each holds what it has read. */
  notificationListsUnderWayMax: 8,
  /** Stored notifications read to complete a group, and to count new ones. */
  groupEntriesMax: 2_000,
  notificationsCountedMax: 2_000,
} as const;
