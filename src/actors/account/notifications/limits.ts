/** Bounds of notifications. */
export const notificationLimits = {
  /**
   * Kept per account. Above it several of the oldest are removed at once, because finding them costs more than removing
   * them.
   */
  keptMax: 5_000,
  trimmedAtOnce: 100,
  clearedPerTurn: 1_000,
  /** UTF-16 units of the text of a warning. */
  warningCharactersMax: 2_000,
  /** Per account, after their notifications are gone; above it the oldest goes. */
  warningsKeptMax: 200,
  /** UTF-16 units of what an account says against a strike, and for how long it can (behaviour of the Mastodon API). */
  appealCharactersMax: 2_000,
  appealMilliseconds: 20 * 24 * 60 * 60 * 1_000,
  /** How far back to look for the notification of a favourite, reblog or follow that was undone. */
  takeBackEntriesMax: 200,
  /** Entries checked for notifications about a deleted status, from its time on: most are soon after it. */
  dismissedEntriesMax: 400,
  /** Accounts that reblogged a status, notified of its edit per turn. */
  rebloggersPerTurn: 200,
  /** Followers notified of a new status per turn; remote statuses that arrive later than this notify nobody. */
  postNotificationsPerTurn: 200,
  postNotificationAgeMillisecondsMax: 6 * 60 * 60 * 1000,
  /** Until a notification is told by mail (behaviour of the Mastodon API): who is there has read it by then. */
  mailWaitMilliseconds: 2 * 60 * 1000,
  /** Notifications looked at per turn that tells them by mail. */
  mailedAtOnceMax: 50,
  /** Refusals of an address for good, after which it gets no notifications any more. */
  refusedMailsMax: 3,
} as const;

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
