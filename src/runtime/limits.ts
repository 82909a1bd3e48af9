/**
 * Every bound of the machine and of the domain, with its unit in its name; faces have a limits.ts of their own. Relations
 * between them are asserted at start.
 */
export const partitionLimits = {
  /** Turns run in one go, and for about how long, before what they did is committed and the thread looks at its other work. */
  sliceTurnsMax: 256,
  sliceMillisecondsMax: 10,
  /** A batch that waits for the one in flight stops taking turns at this size. */
  batchBytesMax: 8 * 1024 * 1024,
  batchTurnsMax: 20_000,
  /** A value of a keyspace. */
  valueBytesMax: 1024 * 1024,
  /** Decoded values that a partition keeps, and the bytes they were decoded from. */
  valuesRememberedMax: 4_096,
  valuesRememberedBytesMax: 16 * 1024 * 1024,
  /** Scopes without an entry that a partition keeps in mind. */
  emptyScopesMax: 8_192,
  /** What one turn may write; and tell, plan, ask for and emit, of each so many. */
  turnWritesMax: 20_000,
  turnMessagesMax: 5_000,
  /** Bytes of all that together. */
  turnBytesMax: 8 * 1024 * 1024,
  /** Calls of one flow that wait for one actor, and all calls of a partition; more are refused with 503. */
  mailboxCallsMax: 1_024,
  waitingCallsMax: 65_536,
  /** How far ids may run ahead of the clock, or the clock ahead of them, before it counts as a jump. */
  idsAheadMillisecondsMax: 60 * 60 * 1000,
  /** How often calls are looked for that wait beyond their deadline. */
  expiryMilliseconds: 250,
  /** Durable messages that wait for their actors: above either bound no frame is taken from a channel. */
  inboxMessagesMax: 16_384,
  inboxBytesMax: 32 * 1024 * 1024,
  /** What a partition tells itself goes there in any case; at so many times these bounds calls are refused with 503. */
  inboxOverflowFactor: 4,
  /** Messages of one channel frame, and about how many bytes; frames under way on a channel, kept unread by its receiver. */
  frameMessagesMax: 256,
  frameBytesMax: 1024 * 1024,
  waitingFramesMax: 64,
  /** Once the frames under way on all channels of a partition have so many bytes, each may have one only. */
  underWayBytesMax: 16 * 1024 * 1024,
  /** What a receiver has not acknowledged: above either, calls that tell it more are refused with 503. */
  outboxFramesMax: 16_384,
  outboxBytesMax: 256 * 1024 * 1024,
  /** Acknowledged frames that a commit deletes of each channel, besides twice as many as it adds. */
  outboxDropsPerCommit: 64,
  /** Messages of one frame, and messages told within the partition, that run at once; the rest goes to the inbox. */
  frameRunsMax: 256,
  localRunsMax: 1_024,
  /** Frames sent and not acknowledged are sent again after this long, then twice that, … */
  resendAfterMilliseconds: 1_000,
  resendAfterMillisecondsMax: 30_000,
  /** Due timers read from the store at a time. */
  timersPerRead: 128,
  /** Waiting messages served for one frame, timer and answer each, so that calls do not wait for floods to end. */
  messagesPerRound: 16,
  /** A partition whose appends keep failing rests before each new attempt: at first this long, then twice that, … */
  failurePauseMilliseconds: 100,
  failurePauseMillisecondsMax: 5_000,
  /** Commits kept in the event log, their age, and their bytes. */
  eventCommitsMax: 200_000,
  eventAgeMilliseconds: 60 * 60 * 1000,
  eventBytesMax: 512 * 1024 * 1024,
  /** Records that a commit sweeps; the latter where there are too many bytes: the oldest may be small, the newest large. */
  eventSweepPerCommit: 4,
  eventSweepOfBytesPerCommit: 256,
  /** Effects that run at a time, and the bytes of their requests; the others wait on disk. */
  effectsUnderWayMax: 4_096,
  effectsUnderWayBytesMax: 16 * 1024 * 1024,
  /** An effect whose runner failed runs again after this long, then twice that, …; after so many attempts it is a letter. */
  effectRetryMilliseconds: 1_000,
  effectRetryMillisecondsMax: 300_000,
  effectAttemptsMax: 10,
  /** Dead letters in the database; so many of the oldest go to a file at a time, and that rests after a failure. */
  deadLettersMax: 10_000,
  lettersPerArchiveMax: 256,
  archivePauseMilliseconds: 30_000,
  /** Letters of one order of the operator. */
  lettersPerOrderMax: 64,
} as const;

/** The files of dead letters of a partition. */
export const letterArchiveLimits = {
  fileBytesMax: 16 * 1024 * 1024,
  filesMax: 8,
} as const;

/** Digests of names kept by a thread, and the length of a name whose digest is kept, in UTF-16 units. */
export const nameLimits = {
  digestsMax: 4_096,
  digestedCharactersMax: 512,
} as const;

export const threadLimits = {
  /** A caller gives up after this long. A call that has not begun a little earlier is not run, and its caller hears so. */
  callDeadlineMilliseconds: 10_000,
  callBeginMilliseconds: 9_000,
  /** A request whose answer would take longer than this is refused at once; so many may wait in any case. */
  callWaitMillisecondsMax: 2_000,
  callsAlwaysAdmitted: 64,
  stopDeadlineMilliseconds: 10_000,
  /** A thread that has died this often within the window is not replaced again: the server gives up. */
  deathsMax: 5,
  deathWindowMilliseconds: 60_000,
  /** The same for deaths during a turn: each of these teaches which message not to run, and the server goes on. */
  turnDeathsMax: 60,
  /** A message that ran at this many deaths of its thread, or for this long, is not run again. */
  deathsPerMessageMax: 2,
  turnMilliseconds: 5_000,
  /** How often a thread beats, and how often the supervisor looks at beats and turns. */
  beatMilliseconds: 100,
  watchMilliseconds: 200,
  /** A thread without a beat is reported after this long, and replaced after that; one that starts may load for longer. */
  silenceReportedMilliseconds: 1_000,
  silenceMilliseconds: 5_000,
  startSilenceMilliseconds: 60_000,
  /** How long a hung thread has to say where it is; a gateway that does not ends the server. */
  interruptMilliseconds: 10_000,
  /** What may wait unread in the port of another thread: above either bound no more events and frames go there. */
  linkMessagesMax: 65_536,
  linkBytesMax: 16 * 1024 * 1024,
  /** How often an owner looks whether a listener that was left behind has read what waited for it. */
  catchUpMilliseconds: 100,
  /** Messages that are remembered because a thread died with them. */
  notedMessagesMax: 1_000,
} as const;

/** The CPU pool. */
export const poolLimits = {
  /** Tasks that run or wait; more are refused. */
  tasksMax: 256,
  /** A thread without work ends after this long. */
  idleMilliseconds: 30_000,
} as const;

/** Local text: what counts as a link, a mention or a hashtag. In UTF-16 units. */
export const textLimits = {
  /** What a character may be made of; the longest emoji have less. Where links count as a few characters, on average. */
  unitsPerCharacterMax: 16,
  unitsPerLinkedCharacterMax: 100,
  linkCharactersMax: 2_048,
  hostCharactersMax: 253,
  handleCharactersMax: 512,
  hashtagCharactersMax: 128,
} as const;

/** Remote HTML. Characters are UTF-16 units. */
export const htmlLimits = {
  /** What the recogniser looks at, and how deep it follows; its stack is one integer, two bits a level. */
  recognisedCharactersMax: 100_000,
  recognisedNestingMax: 12,
  /** What the sanitiser reads of a document: the rest is cut off. The number of tags bounds its worst case. */
  rawCharactersMax: 1_048_576,
  rawTagsMax: 10_000,
  /** What it keeps: text that a reader sees, and the whole markup (a stored value has a bound of its own). */
  shownCharactersMax: 100_000,
  markupCharactersMax: 200_000,
  nestingMax: 64,
  linkCharactersMax: 4_096,
  imageDescriptionCharactersMax: 1_500,
  /** Documents sent to the pool together, batches there at once, and what may wait in front of it. */
  batchDocumentsMax: 64,
  batchCharactersMax: 262_144,
  batchesInFlightMax: 2,
  waitingDocumentsMax: 4_096,
  waitingCharactersMax: 16_777_216,
} as const;

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
  /** Accounts asked about in one request. */
  relationshipsMax: 400,
  /** Follows looked at by one search, and what it may be for. */
  searchedFollowsMax: 500,
  searchCharactersMax: 500,
  languagesPerFollowMax: 200,
  languageCharactersMax: 35,
} as const;

/** Profiles of local accounts, in characters as a person counts them; links in a note count as in a status. */
export const profileLimits = {
  displayNameCharactersMax: 30,
  noteCharactersMax: 500,
  fieldsMax: 4,
  fieldCharactersMax: 255,
  /** Accounts read by one request for several. */
  accountsPerRequestMax: 40,
} as const;

/** Sessions: codes, tokens, people signed in to the pages. */
export const sessionLimits = {
  /** How long a code waits for its exchange (RFC 6749 section 4.1.2 recommends at most 10 minutes). */
  codeMilliseconds: 10 * 60 * 1000,
  browserSessionMilliseconds: 14 * 24 * 60 * 60 * 1000,
  /** An application that nobody got a token through is forgotten after this long: anybody may register one. */
  unusedApplicationMilliseconds: 24 * 60 * 60 * 1000,
  /** Tokens of one account; a new one pushes the oldest out. */
  tokensPerAccountMax: 500,
  /** The same for tokens of an application itself. */
  tokensPerApplicationMax: 500,
} as const;

/** Notifications, and what others hear of an account's statuses. */
/** What remote accounts deleted or undid. */
export const withdrawalLimits = {
  /** As long as a signature counts: twelve hours at most, with clocks that are wrong by an hour at either end. */
  lifetimeMilliseconds: 14 * 60 * 60 * 1000,
  /** Above it the oldest are forgotten. */
  perAccountMax: 4_096,
  sweptPerTurn: 100,
} as const;

export const notificationLimits = {
  /** Kept per account; with each that comes, at most so many of the oldest go. */
  keptMax: 5_000,
  trimmedPerNotification: 2,
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

/** Pages and threads as they are read. */
export const feedLimits = {
  /** A home that takes longer to merge is answered as incomplete. */
  mergeMillisecondsMax: 1_000,
} as const;

export const readingLimits = {
  /** Entries looked at in one reading of a page, and readings until an empty page is answered. */
  entriesPerPageMax: 400,
  readingsPerPageMax: 10,
  /** Context of a status (Mastodon API); hidden statuses count as well. */
  ancestorsMax: 4_096,
  descendantsMax: 4_096,
  /** Statuses read or serialised between two pauses. */
  sliceStatuses: 256,
  /** Further tags in each of the lists that a tag timeline combines; the rest is ignored. */
  combinedTagsMax: 4,
} as const;

export function assertLimits(): void {
  const limits = partitionLimits;
  if (threadLimits.callWaitMillisecondsMax > threadLimits.callBeginMilliseconds)
    throw new Error('a call must not be admitted to expire');
  if (limits.frameRunsMax > limits.batchTurnsMax) throw new Error('frameRunsMax must not exceed batchTurnsMax');
  if (limits.mailboxCallsMax > limits.waitingCallsMax)
    throw new Error('mailboxCallsMax must not exceed waitingCallsMax');
  if (limits.turnMessagesMax < limits.frameMessagesMax) throw new Error('turnMessagesMax must hold a frame');
  if (limits.inboxMessagesMax * (limits.inboxOverflowFactor - 1) < limits.turnMessagesMax + limits.frameMessagesMax)
    throw new Error('calls must not be refused for the messages of one turn and one frame');
  if (threadLimits.callBeginMilliseconds >= threadLimits.callDeadlineMilliseconds)
    throw new Error('callBeginMilliseconds must leave time for an answer');
  if (limits.outboxFramesMax < limits.waitingFramesMax)
    throw new Error('outboxFramesMax must hold the frames under way');
  if (htmlLimits.recognisedNestingMax > 15)
    throw new Error('recognisedNestingMax must fit two bits a level in 31 bits');
  if (htmlLimits.shownCharactersMax > htmlLimits.markupCharactersMax)
    throw new Error('markupCharactersMax must hold the shown characters');
}
