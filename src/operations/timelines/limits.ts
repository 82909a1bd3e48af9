/** Bounds of the lists whose newest entries a gateway thread keeps: 5 000 lists of 64 entries are about 40 MB. */
export const timelineLimits = {
  entriesKeptMax: 64,
  listsMax: 5_000,
  /** Accounts whose followed tags are kept, with the newest statuses of these. */
  homesMax: 20_000,
} as const;
