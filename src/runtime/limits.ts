/** Every bound of the machine, with its unit in its name; other areas have a limits.ts of their own. */
export const partitionLimits = {
  /** Turns run in one go, and for about how long, before what they did is committed and the thread looks at its other work. */
  sliceTurnsMax: 256,
  sliceMillisecondsMax: 10,
  /** Appends of a partition to its log at a time. While one is under way the next batch fills. */
  appendsUnderWayMax: 1,
  /** A batch that waits for room in the log stops taking turns at this size. */
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
  /** So many of these places are for flows of which no more than this many calls wait: a flood leaves them free. */
  waitingCallsReserved: 8_192,
  callsOfModestFlowMax: 16,
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
  /** Whoever watches is told of a failed append for so long, whatever has worked since. */
  failureShownMilliseconds: 5_000,
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
  /**
   * Effects on disk that are not settled: above either bound calls that ask for more are refused with 503. What cannot be
   * refused may ask up to so many times these bounds, and is a letter from then on.
   */
  effectsMax: 65_536,
  effectsBytesMax: 64 * 1024 * 1024,
  effectsOverflowFactor: 4,
  /** An effect whose runner failed runs again after this long, then twice that, …; after so many attempts it is a letter. */
  effectRetryMilliseconds: 1_000,
  effectRetryMillisecondsMax: 300_000,
  effectAttemptsMax: 10,
  /** A runner that has not answered for so long counts as failed. */
  effectSilenceMilliseconds: 600_000,
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

/** Throws when bounds contradict each other: asserted at start. */
export function assertRuntimeLimits(): void {
  const limits = partitionLimits;
  if (threadLimits.callWaitMillisecondsMax > threadLimits.callBeginMilliseconds)
    throw new Error('a call must not be admitted to expire');
  if (limits.frameRunsMax > limits.batchTurnsMax) throw new Error('frameRunsMax must not exceed batchTurnsMax');
  if (limits.mailboxCallsMax > limits.waitingCallsMax)
    throw new Error('mailboxCallsMax must not exceed waitingCallsMax');
  if (limits.waitingCallsReserved >= limits.waitingCallsMax)
    throw new Error('waitingCallsReserved must be a part of waitingCallsMax');
  if (limits.turnMessagesMax < limits.frameMessagesMax) throw new Error('turnMessagesMax must hold a frame');
  if (limits.inboxMessagesMax * (limits.inboxOverflowFactor - 1) < limits.turnMessagesMax + limits.frameMessagesMax)
    throw new Error('calls must not be refused for the messages of one turn and one frame');
  if (threadLimits.callBeginMilliseconds >= threadLimits.callDeadlineMilliseconds)
    throw new Error('callBeginMilliseconds must leave time for an answer');
  if (limits.effectsMax < limits.effectsUnderWayMax || limits.effectsBytesMax < limits.effectsUnderWayBytesMax)
    throw new Error('the effects on disk must hold those under way');
  if (limits.outboxFramesMax < limits.waitingFramesMax)
    throw new Error('outboxFramesMax must hold the frames under way');
}
