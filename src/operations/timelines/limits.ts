/** Bounds of the lists whose newest entries a gateway thread keeps: 5 000 lists of 64 entries are about 40 MB. */
export const timelineLimits = {
  entriesKeptMax: 64,
  listsMax: 5_000,
} as const;
