/** Every bound of the runtime, with its unit in its name; other areas have a limits.ts of their own. */
export const partitionLimits = {
  /** Turns in one go, and about how long, before their batch is committed and the thread does its other work. */
  sliceTurnsMax: 256,
  sliceMillisecondsMax: 4,
  /** Concurrent appends of a partition to its log. While one is under way the next batch fills. */
  appendsUnderWayMax: 1,
  /** A batch that waits for room in the log takes no more turns at this size. */
  batchBytesMax: 8 * 1024 * 1024,
  batchTurnsMax: 20_000,
  /** Size of one value of a keyspace. */
  valueBytesMax: 1024 * 1024,
  /** Decoded values that a partition keeps in memory, and the bytes they were decoded from. */
  valuesRememberedMax: 4_096,
  valuesRememberedBytesMax: 16 * 1024 * 1024,
  /**
   * The least memory that a partition has for empty scopes (more where there is more memory), and what all of an actor's
   * take (measured).
   */
  emptyScopesBytesMin: 1024 * 1024,
  emptyScopesOfActorBytes: 64,
  /** What one turn may write; and how many messages, timers, effects and events each it may produce. */
  turnWritesMax: 20_000,
  turnMessagesMax: 5_000,
  /** All of that together, in bytes; and a reply by itself. */
  turnBytesMax: 8 * 1024 * 1024,
  /** Calls of one flow waiting for one actor, and all waiting calls of a partition; more are refused with 503. */
  mailboxCallsMax: 1_024,
  waitingCallsMax: 65_536,
  waitingCallsBytesMax: 32 * 1024 * 1024,
  /**
   * This many of the places, and of the bytes, are reserved for flows that have at most so many calls waiting: a flood
   * leaves them free.
   */
  waitingCallsReserved: 8_192,
  waitingCallsBytesReserved: 4 * 1024 * 1024,
  callsOfModestFlowMax: 16,
  /** How far ids may run ahead of the clock, or the clock ahead of ids, before it counts as a jump of the clock. */
  idsAheadMillisecondsMax: 60 * 60 * 1000,
  /** How often waiting calls are checked for their deadlines. */
  expiryMilliseconds: 250,
  /** Durable messages waiting in the inbox: above either bound no frame is taken from a channel. */
  inboxMessagesMax: 16_384,
  inboxBytesMax: 32 * 1024 * 1024,
  /**
   * Messages within the partition enter the inbox regardless; at this many times the bounds calls are refused with 503.
   */
  inboxOverflowFactor: 4,
  /**
   * Messages of one channel frame and about how many bytes; unacknowledged frames on a channel, which the receiver
   * buffers.
   */
  frameMessagesMax: 256,
  frameBytesMax: 1024 * 1024,
  waitingFramesMax: 64,
  /** Once the frames under way on all channels of a partition reach this, each channel may have only one. */
  underWayBytesMax: 16 * 1024 * 1024,
  /**
   * Frames and bytes that a receiver has not acknowledged: above either, calls that send it more are refused with 503.
   */
  outboxFramesMax: 16_384,
  outboxBytesMax: 256 * 1024 * 1024,
  /** Acknowledged frames that one commit deletes per channel, in addition to twice the number it adds. */
  outboxDropsPerCommit: 64,
  /** Messages told within the partition that run at once while their slice has time; the rest goes to the inbox. */
  localRunsMax: 1_024,
  /** Unacknowledged frames are sent again after this long, then after twice that, and so on up to the maximum. */
  resendAfterMilliseconds: 1_000,
  resendAfterMillisecondsMax: 30_000,
  /** Due timers read from the store at a time. */
  timersPerRead: 128,
  /** Waiting messages served per frame, timer and answer, so that calls do not wait for floods to end. */
  messagesPerRound: 16,
  /** And how many effects are asked for, of those that are due or wait on disk. */
  effectsPerRound: 16,
  /**
   * A partition whose appends keep failing pauses before each new attempt: this long at first, doubling to the maximum.
   */
  failurePauseMilliseconds: 100,
  failurePauseMillisecondsMax: 5_000,
  /** How long a failed append is reported to monitoring, even if later ones succeeded. */
  failureShownMilliseconds: 5_000,
  /** Commits kept in the event log, their age, and their bytes. */
  eventCommitsMax: 200_000,
  eventAgeMilliseconds: 60 * 60 * 1000,
  eventBytesMax: 512 * 1024 * 1024,
  /**
   * Commits removed from the event log per commit. The second figure applies while there are too many bytes: the oldest
   * commits may be small and the newest large.
   */
  eventSweepPerCommit: 4,
  eventSweepOfBytesPerCommit: 256,
  /** Concurrent effects, and the bytes of their requests; the others wait on disk. */
  effectsUnderWayMax: 4_096,
  effectsUnderWayBytesMax: 16 * 1024 * 1024,
  /**
   * Unsettled effects on disk: above either bound, calls that ask for more are refused with 503. Messages that cannot
   * be refused may ask for effects up to this many times the bounds; above that they become dead letters.
   */
  effectsMax: 65_536,
  effectsBytesMax: 64 * 1024 * 1024,
  effectsOverflowFactor: 4,
  /**
   * An effect whose runner failed runs again after this long, then twice that, and so on; after so many attempts it
   * becomes a dead letter.
   */
  effectRetryMilliseconds: 1_000,
  effectRetryMillisecondsMax: 300_000,
  effectAttemptsMax: 10,
  /** A runner that has not answered for this long counts as failed. */
  effectSilenceMilliseconds: 600_000,
  /**
   * Dead letters in the database, and their bytes; how many of the oldest are moved to a file at a time, and how many
   * bytes of them unless one is larger; the pause after a failed move.
   */
  deadLettersMax: 10_000,
  deadLettersBytesMax: 64 * 1024 * 1024,
  lettersPerArchiveMax: 256,
  lettersPerArchiveBytesMax: 4 * 1024 * 1024,
  archivePauseMilliseconds: 30_000,
  /**
   * Letters of damaged records that a partition writes before it is opened again, and such records that it remembers.
   * Statistics that begin anew are not limited: they are few.
   */
  recordLettersMax: 100,
  damagedRecordsMax: 4_096,
  /** Dead letters that one order of the operator handles at most, and orders that wait; more are refused with 503. */
  lettersPerOrderMax: 64,
  letterOrdersMax: 64,
} as const;

/** The archive files of a partition's dead letters. */
export const letterArchiveLimits = {
  fileBytesMax: 16 * 1024 * 1024,
  filesMax: 8,
} as const;

/** Digests of names that a thread caches, and the longest name that is cached, in UTF-16 units. */
export const nameLimits = {
  digestsMax: 4_096,
  digestedCharactersMax: 512,
} as const;

export const threadLimits = {
  /**
   * A caller gives up after this long. A call that has not begun shortly before is not run, and its caller gets
   * `expired`.
   */
  callDeadlineMilliseconds: 10_000,
  callBeginMilliseconds: 9_000,
  /** A request whose answer is expected to take longer than this is refused at once; so many may wait in any case. */
  callWaitMillisecondsMax: 2_000,
  callsAlwaysAdmitted: 64,
  /** Requests of other kinds that a thread has made to another and that are not answered: more are refused. */
  requestsMax: 16_384,
  /** Threads that stop together are waited for that long, and all of them for no longer than the second; each gets the third. */
  stopDeadlineMilliseconds: 10_000,
  stopMillisecondsMax: 15_000,
  stopMillisecondsMin: 2_000,
  /** A thread that has died this often within the window is not replaced again: the server stops. */
  deathsMax: 5,
  deathWindowMilliseconds: 60_000,
  /** The same for deaths during a turn. Each of them identifies a message not to run again, so more are allowed. */
  turnDeathsMax: 60,
  /** A message that was running at this many deaths of its thread, or used so much time, is not run again. */
  deathsPerMessageMax: 2,
  turnMilliseconds: 5_000,
  /** How often a thread beats, and how often the supervisor checks heartbeats and turns. */
  beatMilliseconds: 100,
  watchMilliseconds: 200,
  /**
   * A thread without a heartbeat is reported after this long and replaced after that; one that is starting gets longer.
   * Time counts that it could have used: not the time in which it waits for a processor.
   */
  silenceReportedMilliseconds: 1_000,
  silenceMilliseconds: 5_000,
  startSilenceMilliseconds: 60_000,
  /**
   * The process ends when its main thread has run for so long without a heartbeat. It gets longer while it sleeps, or may
   * have no processor: it waits for a disk, for which the next process would wait as well.
   */
  mainSilenceMilliseconds: 5_000,
  mainSleepMilliseconds: 60_000,
  /** How long the process waits to be told where its main thread hangs; twice as long for a thread that tells it. */
  mainPlaceMilliseconds: 1_000,
  /** How often the operator is told that threads wait for processors. */
  starvingReportMilliseconds: 60_000,
  /** How long a hung thread has to report where it hangs; a gateway that does not ends the server. */
  interruptMilliseconds: 10_000,
  /**
   * What may wait unread in the port of another thread: above either bound no more events and frames are sent to it.
   */
  linkMessagesMax: 65_536,
  linkBytesMax: 16 * 1024 * 1024,
  /** How often an owner checks whether the wall clock was set, and by how much at least: timers are due so late. */
  clockCheckMilliseconds: 1_000,
  clockSetMilliseconds: 100,
  /** How often an owner checks whether a listener that fell behind has read what waited for it. */
  catchUpMilliseconds: 100,
  /** How long owners mark the messages that they run, after a process that did not close the data folder. */
  marksMilliseconds: 600_000,
  /** Messages remembered because a thread died while running them. */
  notedMessagesMax: 1_000,
} as const;

/** A pool of child processes. */
export const processPoolLimits = {
  /** More are refused. */
  waitingTasksMax: 256,
  /** A process without work ends after this long, and any process after this many tasks. */
  idleMilliseconds: 60_000,
  tasksOfProcessMax: 200,
  memoryWatchMilliseconds: 100,
} as const;

/** Throws when bounds contradict each other. Called at start. */
export function assertRuntimeLimits(): void {
  const limits = partitionLimits;
  if (threadLimits.callWaitMillisecondsMax > threadLimits.callBeginMilliseconds)
    throw new Error('a call must not be admitted to expire');
  if (threadLimits.silenceReportedMilliseconds > threadLimits.mainSilenceMilliseconds)
    throw new Error('the process must not end before its main thread was reported');
  if (limits.frameMessagesMax > limits.batchTurnsMax) throw new Error('batchTurnsMax must hold a frame');
  if (limits.mailboxCallsMax > limits.waitingCallsMax)
    throw new Error('mailboxCallsMax must not exceed waitingCallsMax');
  if (limits.waitingCallsReserved >= limits.waitingCallsMax)
    throw new Error('waitingCallsReserved must be a part of waitingCallsMax');
  if (limits.waitingCallsBytesReserved >= limits.waitingCallsBytesMax)
    throw new Error('waitingCallsBytesReserved must be a part of waitingCallsBytesMax');
  if (limits.turnMessagesMax < limits.frameMessagesMax) throw new Error('turnMessagesMax must hold a frame');
  if (limits.inboxMessagesMax * (limits.inboxOverflowFactor - 1) < limits.turnMessagesMax + limits.frameMessagesMax)
    throw new Error('calls must not be refused for the messages of one turn and one frame');
  if (threadLimits.callBeginMilliseconds >= threadLimits.callDeadlineMilliseconds)
    throw new Error('callBeginMilliseconds must leave time for an answer');
  if (limits.effectsMax < limits.effectsUnderWayMax || limits.effectsBytesMax < limits.effectsUnderWayBytesMax)
    throw new Error('the effects on disk must hold those under way');
  if (limits.deadLettersBytesMax < limits.turnBytesMax + limits.valueBytesMax)
    throw new Error('deadLettersBytesMax must hold any letter');
  if (limits.outboxFramesMax < limits.waitingFramesMax)
    throw new Error('outboxFramesMax must hold the frames under way');
}
