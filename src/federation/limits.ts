/** Every bound of ActivityPub, with its unit in its name. Characters are UTF-16 units. */
export const activityLimits = {
  bodyBytesMax: 1_048_576,
  jsonDepthMax: 32,
  uriCharactersMax: 2_048,
  /** Objects of one activity that are looked at. */
  objectsMax: 20,
  addresseesMax: 2_000,
  tagsMax: 200,
  mentionsMax: 100,
  emojisMax: 100,
  emojiCharactersMax: 100,
  attachmentsMax: 16,
  altTextCharactersMax: 10_000,
  /** Pixels along one side. */
  mediaSideMax: 100_000,
  contentCharactersMax: 1_048_576,
  titleCharactersMax: 2_048,
  summaryCharactersMax: 5_000,
  languageCharactersMax: 35,

  usernameCharactersMax: 2_048,
  displayNameCharactersMax: 2_048,
  noteCharactersMax: 20_480,
  fieldsMax: 50,
  fieldCharactersMax: 2_047,
  aliasesMax: 256,
  attributionDomainsMax: 256,
  keysMax: 10,

  /**
   * An activity that has to wait for something fetched is stored; a larger one is applied without it. Those that
   * wait are in the memory of a network thread as well, and a host may have a thousand.
   */
  deferredBytesMax: 65_536,
  /** Of an activity's id, for it to be remembered. Servers write about a hundred. */
  recentActivityCharactersMax: 256,
  /** Owners of keys whose id does not tell them. */
  keyOwnersMax: 5_000,
  /** What is known of a remote account is asked for again when it is used and is older than this (Mastodon: a day). */
  profileAgeMilliseconds: 24 * 3_600_000,
  /** The same of the authorization of a quote (Mastodon: a week). */
  quoteAgeMilliseconds: 7 * 24 * 3_600_000,
  /** The same where its inbox no longer takes anything. */
  unreachedProfileAgeMilliseconds: 3_600_000,
  /** A key that does not fit is fetched again so many times at once, then this often. */
  keyRefreshesAtOnce: 5,
  keyRefreshMilliseconds: 60_000,
  keyRefreshesMax: 20_000,
  /** Keys of one host fetched within a window that have not fitted: at first, more for each that did, and at most. */
  keyFetchesPerHostMin: 300,
  keyFetchesPerFittedKey: 20,
  keyFetchesPerHostMax: 20_000,
  /** Signatures of one client address that did not verify although a key was asked for, within a window. */
  keyFailuresPerAddressMax: 300,
  keyFetchWindowMilliseconds: 5 * 60_000,
  /** Hosts, and addresses, that are counted. */
  keyFetchHostsMax: 20_000,

  /** Documents that are fetched to understand one activity, and how far up a thread is followed. */
  documentsPerActivityMax: 40,
  ancestorsMax: 20,
  actorBytesMax: 524_288,
  /** Activities that a network thread applies at the same time; the others wait in its memory. */
  processedAtOnceMax: 64,
  /** Of one host: one that answers slowly must not take all places. */
  processedAtOncePerHostMax: 8,

  documentAgeSeconds: 180,
  outboxPageMax: 20,
  accountsPageMax: 40,
  repliesPageMax: 60,
  /** Own replies that stand in a status' document itself. */
  selfRepliesMax: 5,
} as const;
