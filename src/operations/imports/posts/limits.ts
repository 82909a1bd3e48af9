/** Bounds of reading archives of strangers, besides those of imports (actors/account/imports/limits.ts). */
const megabyte = 1024 * 1024;

export const archiveReadingLimits = {
  entriesMax: 1_000_000,
  actorBytesMax: megabyte,
  /** Of `outbox.json`, and of one activity in it. */
  outboxBytesMax: 4_096 * megabyte,
  activityBytesMax: megabyte,
  bookmarksBytesMax: 64 * megabyte,
  activityDepthMax: 64,
  /** What comes out may be so many times what was uploaded, and so much more: texts are a tenth, pictures hardly smaller. */
  expansionMax: 50,
  expansionBytesMax: 4_096 * megabyte,
  /** Of small archives. */
  unpackedBytesMin: 64 * megabyte,
} as const;
