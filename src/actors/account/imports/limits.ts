/** Bounds of imports. */
const day = 24 * 60 * 60 * 1_000;

export const importLimits = {
  /** As in Mastodon; of posts, so many that failed are stored. */
  rowsMax: 20_000,
  fileBytesMax: 2 * 1024 * 1024,
  /** Of a row, and of one of its values. */
  valuesMax: 8,
  valueCharactersMax: 2_048,
  /** Rows that are stored, and done, together. */
  rowsPerChunk: 20,
  /** Those that ended are kept so long, with what became of each row, and so many. */
  keptMilliseconds: 14 * day,
  keptMax: 10,
  chunksRemovedPerTurn: 500,
  /** Of an archive of posts as it is uploaded, whatever the option says. */
  archiveBytesMax: 64 * 1024 * 1024 * 1024,
  postsMax: 500_000,
  /** Posts that are taken over together, unless that takes longer. */
  postsPerSlice: 100,
  sliceMilliseconds: 20_000,
  /** An archive from a clock that is ahead. */
  aheadMillisecondsMax: day,
} as const;
