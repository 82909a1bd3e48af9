/** Bounds of the lists whose newest entries a gateway thread keeps. */
export const timelineLimits = {
  entriesKeptMax: 64,
  /** Tags that somebody follows whose changes are counted. */
  tagsFollowedMax: 50_000,
} as const;
