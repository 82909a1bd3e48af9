/** Follows, blocks and mutes. */
export const relationshipLimits = {
  /** Accounts that one may follow; with many followers of one's own, so many times their number. */
  followsMax: 7_500,
  followsPerFollower: 1.1,
  /** Inboxes of followers of one host that lie on other hosts, for each followed account. */
  inboxesElsewhereMax: 10,
  /** Earlier options that a follow remembers, for statuses of that time. */
  followHistoryEntriesMax: 8,
  /** Pending requests that a turn of a newly unlocked account authorises. */
  authorizationsPerTurn: 100,
  /** Local accounts that hear, per turn, that a remote follower has another inbox. */
  movesToldPerTurn: 200,
  /** Notifications looked at for those of requests that were answered. */
  notificationsDismissedMax: 400,
  /** Pending requests are counted up to this number. */
  requestsCountedMax: 1_000,
  muteSecondsMax: 100 * 365 * 24 * 60 * 60,
  /** Domains that one may hide, and accounts that each turn of doing so looks at. */
  domainBlocksMax: 5_000,
  severedPerTurn: 100,
  /** Follows that are compared to find familiar followers, for how many accounts, and how many are shown of each. */
  followsComparedMax: 2_000,
  familiarAccountsMax: 40,
  familiarFollowersMax: 40,
  /** Accounts asked about in one request. */
  relationshipsMax: 400,
  /** Follows looked at by one search that finds too many accounts. */
  searchedFollowsMax: 1_000,
  languagesPerFollowMax: 200,
  languageCharactersMax: 35,
} as const;
