/** Bounds of the pages for browsers. */
export const webLimits = {
  /** Statuses on a page of a timeline or profile. */
  pageStatuses: 20,
  /** Accounts on a page of a list. */
  pagePeople: 40,
  /** Servers on a page of those that staff have limited. */
  pageServers: 100,
  /** Versions of an edited post, the latest, and characters of each: they are compared word by word. */
  pageVersions: 20,
  versionCharacters: 20_000,
  /** Accounts and hashtags where a search shows all that it has found. */
  foundOfKind: 5,
  /** Proposals for a word while it is written. */
  completions: 6,
  /** Hashtags proposed to whom nothing is shown at home. */
  welcomeTags: 8,
  /** Accounts proposed for a list before a search. */
  proposedPeople: 5,
  /** Members of a list are counted up to this number. */
  countedMembersMax: 99,
  /** Applications in the settings; all of them can be revoked at once. */
  pageAuthorizations: 100,
  /** Of the history of sign-ins. */
  pageSignIns: 40,
  /** Accounts that a profile features, shown on it. */
  featuredPeople: 12,
  /** Accounts of a conversation or group that are named; the others are counted. */
  namedPeopleMax: 3,
  /** Accounts of a group of notifications that are shown by their pictures. */
  picturedPeopleMax: 8,
  /** Empty rows in the form of a filter. */
  newFilterWords: 3,
  /** Unread rows of notifications are counted up to this number, among so many notifications: every page shows them. */
  unreadCountedMax: 40,
  unreadLookedMax: 200,
  /** Characters shown of the post of a notification. */
  quotedCharactersMax: 140,
  /** Replies shown below a status. */
  threadAnswersMax: 200,
  /** Greatest indentation of replies in a thread. */
  threadIndentationMax: 4,
  formBytesMax: 65_536,
  /** With a document of staff in any script, as forms encode it. */
  documentFormBytesMax: 524_288,
  titleCharactersMax: 70,
  descriptionCharactersMax: 280,
  /** New statuses sent at once to a page that reconnects; with more of them it is told to reload. */
  caughtUpStatusesMax: 20,
  /** When an open page first checks for missed entries, and the interval of later checks. */
  firstCheckMilliseconds: 1_000,
  checkMilliseconds: 15_000,
  /** Feed readers and proxies may keep a feed so long. */
  feedAgeSeconds: 60,
  assetAgeSeconds: 365 * 24 * 60 * 60,
  unversionedAssetAgeSeconds: 60 * 60,
} as const;
