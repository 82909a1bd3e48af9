/** Notifications, and what others hear of an account's statuses. */
export const notificationLimits = {
  /** Kept per account; with one too many so many of the oldest go, because looking for them costs more than they do. */
  keptMax: 5_000,
  trimmedAtOnce: 100,
  clearedPerTurn: 1_000,
  /** How far back a removed favourite, reblog or follow looks for the notification it caused. */
  takeBackEntriesMax: 200,
  /** Looked at for those about a deleted status, from its time on: they soon follow it. */
  dismissedEntriesMax: 400,
  /** Accounts that reblogged a status and hear of its edit, per turn. */
  rebloggersPerTurn: 200,
  /** Followers told of a new status per turn; no follower is told of a remote status that came later than this. */
  postNotificationsPerTurn: 200,
  postNotificationAgeMillisecondsMax: 6 * 60 * 60 * 1000,
} as const;
