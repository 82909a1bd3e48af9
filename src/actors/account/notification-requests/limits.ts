/** Filtered notifications and the requests that they make. */
export const notificationRequestLimits = {
  /** Filtered notifications kept per account; with each that comes, at most so many of the oldest go. */
  filteredMax: 1_000,
  trimmedPerNotification: 2,
  /** Filtered notifications that are shown or removed per turn, once a request is answered. */
  settledPerTurn: 200,
  /** The newest private statuses of a thread that are asked whether they were written to a sender. */
  conversationStatusesMax: 100,
  /** Requests that one call answers. */
  settledPerCall: 100,
  /** Shown as the number of notifications of a request, and counted in the summary, at most. */
  meaningfulCount: 100,
} as const;
