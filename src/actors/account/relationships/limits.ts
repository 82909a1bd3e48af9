/** Bounds of follows, blocks and mutes. */
export const relationshipLimits = {
  /** Accounts that one may follow; an account with many followers may follow this many times their number. */
  followsMax: 7_500,
  followsPerFollower: 1.1,
  /** Per followed account: inboxes of one host's followers that are on other hosts. */
  inboxesElsewhereMax: 10,
  /** Earlier options that a follow stores, for statuses of that time. */
  followHistoryEntriesMax: 8,
  /** Pending requests that one turn of a newly unlocked account accepts. */
  authorizationsPerTurn: 100,
  /** Local accounts informed per turn that a remote follower has another inbox. */
  movesToldPerTurn: 200,
  /** Notifications checked for those of answered requests. */
  notificationsDismissedMax: 400,
  /** Pending requests are counted up to this number. */
  requestsCountedMax: 1_000,
  /**
   * A remote account that was followed at once, and whose server has not accepted for so long, is asked for a follow
   * only: it approves its followers, limits this server, or is out of reach.
   */
  answerMilliseconds: 24 * 60 * 60 * 1000,
  /** How often a server with new keys is sent the follows of an account again. */
  followAgainMilliseconds: 24 * 60 * 60 * 1000,
  /** Followers compared per turn with what the server of a remote account says. */
  synchronizedPerTurn: 100,
  muteSecondsMax: 100 * 365 * 24 * 60 * 60,
  /** Domains that one may block, and accounts that each turn of a block looks at. */
  domainBlocksMax: 5_000,
  severedPerTurn: 100,
  relationsPerSlice: 100,
  /** Follows compared to find familiar followers, for how many accounts, and how many are shown for each. */
  followsComparedMax: 2_000,
  familiarAccountsMax: 40,
  familiarFollowersMax: 40,
  /** Accounts in one request for relationships, and between two pauses of it. */
  relationshipsMax: 400,
  relationshipsPerSlice: 100,
  /** For so many of them, one entry of the viewer's keyspaces is read before they are looked up. */
  othersPerEntryRead: 4,
  /** Follows examined by a search that finds too many accounts. */
  searchedFollowsMax: 1_000,
  languagesPerFollowMax: 200,
  languageCharactersMax: 35,
} as const;
