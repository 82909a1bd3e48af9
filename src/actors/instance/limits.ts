/** Bounds of what staff write. Characters are UTF-16 units. */
export const instanceLimits = {
  rulesMax: 100,
  ruleCharactersMax: 1_000,
  ruleTranslationsMax: 200,
  disallowedHashtagsMax: 1_000,
  /** Of tags, and likewise of links, publishers, statuses and accounts. */
  trendReviewsMax: 5_000,
  titleCharactersMax: 200,
  descriptionCharactersMax: 2_000,
  /** The extended description, the privacy policy, the terms of service: as typed, and as HTML. */
  documentCharactersMax: 50_000,
  documentHtmlCharactersMax: 200_000,
  /** Former, current and future terms of service. */
  termsVersionsMax: 50,
  /** Rules for domains, and likewise allowed domains. */
  domainRulesMax: 100_000,
  domainCommentCharactersMax: 1_000,
  domainListsMax: 50,
  domainListTitleCharactersMax: 200,
  domainListUrlCharactersMax: 2_048,
  domainListRowsMax: 20_000,
  /** With those that it named before. */
  domainListEntriesMax: 150_000,
  domainListBytesMax: 8_000_000,
  domainListFollowsMax: 1_000_000,
  /** An hour to thirty days. */
  domainListHoursMin: 1,
  domainListHoursMax: 30 * 24,
  /** After the first failure; it doubles with each, up to the interval of the subscription. */
  domainListRetryMilliseconds: 15 * 60_000,
  /** Rows that one turn takes: some milliseconds. */
  domainListRowsPerTurn: 20,
  /** Of which most are not to be changed. */
  domainListRowsExaminedPerTurn: 500,
  stoppedServersMax: 10_000,
  emailDomainBlocksMax: 100_000,
  canonicalEmailBlocksMax: 100_000,
  addressBlocksMax: 10_000,
  addressCommentCharactersMax: 1_000,
  /** A hundred years. */
  addressBlockSecondsMax: 36_525 * 24 * 60 * 60,
  usernameBlocksMax: 1_000,
  /** About one account, report or server. */
  moderationNotesMax: 200,
  moderationNoteCharactersMax: 2_000,
  rolesMax: 100,
  roleNameCharactersMax: 100,
  invitesOfAccountMax: 100,
  inviteUsesMax: 10_000,
  inviteSecondsMin: 60,
  /** A year. */
  inviteSecondsMax: 366 * 24 * 60 * 60,
  inviteCommentCharactersMax: 420,
  /** Sign-ups with one invite that are on their way. */
  inviteReservationsMax: 500,
  reservationMilliseconds: 24 * 60 * 60 * 1_000,
  webhooksMax: 20,
  warningPresetsMax: 100,
  warningPresetTitleCharactersMax: 200,
  customEmojisMax: 2_000,
  emojiCategoryCharactersMax: 100,
  announcementsMax: 50,
  announcementCharactersMax: 5_000,
  /** Kinds of reactions to one announcement (behaviour of the Mastodon API). */
  reactionKindsMax: 8,
  reactionsToldMilliseconds: 1_000,
  reactionsSweptPerTurn: 500,
  /** Of an announcement that is sent by mail: ten mails a second. */
  recipientsPerSlice: 100,
  recipientsPauseMilliseconds: 10_000,
  /** Of new keys for all accounts: two accounts a second, each of which is told to all servers with followers. */
  keysPerSlice: 10,
  keysPauseMilliseconds: 5_000,
  /** Whoever asks again so soon wants to know whether it has ended. */
  keysKeptMilliseconds: 60 * 60 * 1_000,
  /** Staff are told that trends wait for review once in this time. */
  trendsToldMilliseconds: 24 * 60 * 60 * 1_000,
  /** Of each kind, in one mail, and remembered as told. */
  trendsToldAtOnceMax: 5,
  trendsRememberedMax: 200,
} as const;
