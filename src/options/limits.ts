/** Bounds of what an operator can configure. */
export const optionLimits = {
  portMax: 65_535,
  threadsOfAKindMax: 64,
  partitionsMin: 2,
  partitionsMax: 256,
  feedRingsMax: 1_048_576,
  homeRebuildMillisecondsMax: 60_000,
  memoryMegabytesMin: 256,
  memoryMegabytesMax: 1_048_576,
  trustedProxiesMax: 16,
  signInDaysMax: 3_650,
  deletionDaysMax: 90,
  /** Enough for the largest film, which may take a quarter of it on one of several threads. */
  mediaCacheBytesMin: 100_000_000,
  mediaCacheBytesMax: 1e15,
  /** A hundred years. */
  remoteStatusDaysMax: 36_525,
  importBytesMax: 64 * 1024 * 1024 * 1024,
  relayAgeMinutesMax: 1_440,
  /** NATS keeps no more copies of a stream. */
  clusterReplicasMax: 5,
  clusterAppendsMax: 16,
  clusterSnapshotHoursMax: 8_784,
  clusterSnapshotMegabytesMax: 1_048_576,
  relayLogMegabytesMax: 1_048_576,
  relayEgressKilobytesMax: 100_000_000,
  repliesRequestsMax: 1_000,
  repliesPauseMillisecondsMax: 10_000,
  repliesMinutesMax: 1_440,
  listItemsMax: 1_000,
  textCharactersMax: 500,
  headerCharactersMax: 4_096,
  /** How much of a refused value is repeated in a message. */
  shownCharactersMax: 80,
} as const;
