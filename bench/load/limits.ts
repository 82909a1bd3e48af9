/** Bounds of a run, with units in their names. */
export const loadLimits = {
  secondsMax: 3_600,
  warmUpSecondsMax: 600,
  partsMax: 16,
  perSecondMax: 100_000,
  connectionsMax: 4_096,
  /** Requests that wait for a connection; one more is not sent, and counted. */
  waitingRequestsMax: 50_000,
  sessionsAtOnceMax: 50_000,
  requestsPerSessionMax: 200,
  timeoutSecondsMax: 120,
  /** Of one answer that is read for what it contains; more is not read. */
  answerBytesMax: 4 * 1024 * 1024,
  socketsMax: 19_000,
  serversMax: 5_000,
  keysMax: 5_000,
  sendersMax: 1_000,
  tokensMax: 20_000,
  scenarioBytesMax: 1024 * 1024,
  pictureSideMax: 8_000,
} as const;
