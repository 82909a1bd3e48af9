/** Bounds of files of other servers that are kept to be shown. */

export const remoteMediaLimits = {
  /**
   * From the first byte asked for to the last byte received: of a picture, and of a film or sound, which is shown
   * meanwhile.
   */
  pictureMilliseconds: 120_000,
  playedMilliseconds: 600_000,
  /** Pictures that are downloaded or decoded at a time, films and sounds that are downloaded; and all with those that wait. */
  picturesUnderWayMax: 16,
  playedUnderWayMax: 16,
  waitingMax: 512,
  /** A question is answered after so long at most, though the file may come later: less than calls between threads take. */
  answerMilliseconds: 7_000,
  /** Pauses before a file that is no picture, film or sound is asked for again; each is twice the last. */
  badFileMillisecondsMin: 10 * 60_000,
  badFileMillisecondsMax: 24 * 3_600_000,
  /** Of a host with its port, in the names of folders. */
  hostCharactersMax: 200,
  /** A view is noted on disk at most so often: the order of eviction after a restart is as exact as that. */
  viewNotedMilliseconds: 3_600_000,
  /** Entries that a thread keeps, and the least bytes of the quota for each: their index is in memory, 500 bytes each. */
  entriesMax: 200_000,
  entryBytesMin: 16_384,
  /** When the quota is reached, files are removed until this part of it is in use. */
  filledAfterEviction: 0.95,
} as const;
