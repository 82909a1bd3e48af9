/** Bounds of filtered notifications and notification requests. */
export const notificationRequestLimits = {
  /** Filtered notifications kept per account; each new one removes at most so many of the oldest. */
  filteredMax: 1_000,
  trimmedPerNotification: 2,
  /** Filtered notifications accepted or removed per turn, once a request was answered. */
  settledPerTurn: 200,
  /** The newest private statuses of a thread that are checked for one written to the sender. */
  conversationStatusesMax: 100,
  /** Requests that one call answers. */
  settledPerCall: 100,
  /** The highest number of notifications that a request shows and the summary counts. */
  meaningfulCount: 100,
} as const;
