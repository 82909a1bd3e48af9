/** Bounds of the search in the text of statuses. */
export const searchLimits = {
  /** Of one status; what follows is not found. */
  tokensMax: 10_000,
  /** Longer words are compared by their beginning. */
  tokenCharactersMax: 64,
  /** Words, phrases and operators of one query; what follows is ignored. */
  termsMax: 32,
  /** The same of single characters of scripts without spaces, each of which begins many words of the index. */
  loneCharactersMax: 8,
  /** The same of the words of one phrase. */
  phraseTokensMax: 32,
  /** Statuses of one answer, before those that the viewer is not shown are left out. */
  foundMax: 200,
  /** Accounts that are written into the entry of a status; where more have it in their library, a table is asked. */
  membersMax: 256,
  /**
   * Entries of one table, whose answer cannot be interrupted. Measured: the costliest query that the language of searches
   * allows takes some 25 ms of CPU in one table, an ordinary one less than 1 ms.
   */
  shardEntriesMax: 32_768,
  /** Pages that are merged at a time. */
  mergedPages: 200,
  /** How long the thread works for one search, its pauses not counted; then it answers with what it has found. */
  findMilliseconds: 200,
  /** So long a search may wait for earlier ones of the same account. */
  waitMilliseconds: 5_000,
  /** How long the thread works on the index before it answers what waits. */
  sliceMilliseconds: 10,
  /** How often it looks for new commits while nobody searches. */
  lookMilliseconds: 1_000,
  /** Commits that are read from an event log at a time. */
  commitsMax: 500,
  /** How long it leaves the index alone after an error of the disk. */
  retryMilliseconds: 30_000,
  /** After so long a rebuild tells how far it is, and one that has ended is not begun again by whoever followed it. */
  progressMilliseconds: 1_000,
  /** The memory of SQLite for pages of the index. */
  pageCacheBytes: 16 * 1_048_576,
} as const;
