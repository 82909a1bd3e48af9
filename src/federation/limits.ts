/** Bounds of ActivityPub, with units in their names. Characters are UTF-16 units. */
export const activityLimits = {
  bodyBytesMax: 1_048_576,
  jsonDepthMax: 32,
  /** Members and elements of all its objects and lists: ten times as many as are read of any. */
  jsonEntriesMax: 20_000,
  uriCharactersMax: 2_048,
  /** Objects of one activity that are examined. */
  objectsMax: 20,
  addresseesMax: 2_000,
  tagsMax: 200,
  mentionsMax: 100,
  emojisMax: 100,
  /** Collections of accounts that a status links to. */
  collectionsMax: 10,
  emojiCharactersMax: 100,
  attachmentsMax: 16,
  altTextCharactersMax: 10_000,
  /** Pixels along one side. */
  mediaSideMax: 100_000,
  contentCharactersMax: 1_048_576,
  titleCharactersMax: 2_048,
  /** More likes or shares than that nobody believes. */
  toldTotalMax: 100_000_000,
  summaryCharactersMax: 5_000,
  /** Each part of the place of an event. */
  placeCharactersMax: 200,
  languageCharactersMax: 35,

  usernameCharactersMax: 2_048,
  displayNameCharactersMax: 2_048,
  noteCharactersMax: 20_480,
  /** Of avatar and header. */
  pictureDescriptionCharactersMax: 1_500,
  fieldsMax: 50,
  fieldCharactersMax: 2_047,
  aliasesMax: 256,
  attributionDomainsMax: 256,
  keysMax: 10,
  /** Of these, stored besides the one that signs requests. */
  moreKeysMax: 3,

  /**
   * An activity that needs a fetch is stored; a larger one is applied without it. Waiting ones are also in the memory
   * of a network thread, and a host may have a thousand.
   */
  deferredBytesMax: 65_536,
  /** Longest id that is remembered. Servers use about a hundred characters. */
  recentActivityCharactersMax: 256,
  /** Owners of keys whose id does not reveal them. */
  keyOwnersMax: 5_000,
  /** A remote profile that is used and older than this is fetched again (Mastodon: a day). */
  profileAgeMilliseconds: 24 * 3_600_000,
  /** The same for the authorization of a quote (Mastodon: a week). */
  quoteAgeMilliseconds: 7 * 24 * 3_600_000,
  /** The same where its inbox no longer accepts anything. */
  unreachedProfileAgeMilliseconds: 3_600_000,
  /** How often a server that disagrees about who follows an account is asked, and for how many (FEP-8fcf). */
  followersAgeMilliseconds: 3_600_000,
  followersSynchronizedMax: 10_000,
  /** For so many accounts and so long, the digest that a server sent and this one had too is not computed again. */
  followersAgreedMax: 1_000,
  followersAgreedMilliseconds: 10 * 60_000,
  /** A key that does not match is fetched again so many times at once, then at this interval. */
  keyRefreshesAtOnce: 5,
  keyRefreshMilliseconds: 60_000,
  keyRefreshesMax: 20_000,
  /**
   * Keys of one host fetched within a window without verifying a request: the limit at first, its growth for each that
   * did, and its maximum.
   */
  keyFetchesPerHostMin: 300,
  keyFetchesPerFittedKey: 20,
  keyFetchesPerHostMax: 20_000,
  /** Failed verifications of one client address for which a key was fetched, within a window. */
  keyFailuresPerAddressMax: 300,
  keyFetchWindowMilliseconds: 5 * 60_000,
  /** Hosts and addresses that are counted. */
  keyFetchHostsMax: 20_000,
  /** Its key may be asked for again after this by a request that was signed with it, however often that failed before. */
  keyPatienceMilliseconds: 60_000,
  /**
   * Activities of relays that a gateway works on at once, and statuses that a network thread fetches for them: at once, of
   * one host, and waiting for that. More are dropped. And how long the status is waited for that another server passed on.
   */
  relayedAtOnceMax: 256,
  relayedFetchesAtOnceMax: 16,
  relayedFetchesPerHostMax: 2,
  relayedFetchesWaitingMax: 512,
  passedOnFetchMilliseconds: 10_000,
  /** How long a gateway counts what relays bring before it is stored. */
  relayReceiptsMilliseconds: 5_000,
  /** Requests for threads that a network thread makes at once, to different hosts, and that wait for one host. */
  threadStepsAtOnceMax: 16,
  threadStepsWaitingPerHostMax: 16,
  /** A status that is so new is not asked for replies: they arrive by themselves (behaviour of the Mastodon API). */
  threadAgeMillisecondsMin: 5 * 60_000,
  /** Deletes of unknown authors that wait in a gateway: in all, of one host, of one author; longer ones are dropped. */
  earlyDeletesMax: 1_024,
  earlyDeletesPerHostMax: 128,
  earlyDeletesPerActorMax: 16,
  earlyDeleteBytesMax: 4_096,
  /** How often a gateway examines whether deliveries wait for a host that sends requests, and of how many hosts. */
  heardHostMilliseconds: 10_000,
  heardHostsMax: 20_000,

  /** Documents fetched to understand one activity, and how far up a thread is followed. */
  documentsPerActivityMax: 40,
  ancestorsMax: 20,
  actorBytesMax: 524_288,
  /** Activities that a network thread applies in parallel; the others wait in its memory. */
  processedAtOnceMax: 64,
  /** Per host: a slow one must not take all places. */
  processedAtOncePerHostMax: 8,

  documentAgeSeconds: 180,
  outboxPageMax: 20,
  accountsPageMax: 40,
  repliesPageMax: 60,
  /** Own replies embedded in a status' document. */
  selfRepliesMax: 5,
} as const;
