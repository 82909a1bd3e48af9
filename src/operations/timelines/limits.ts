/** Bounds of the lists whose newest entries a gateway thread caches. */
export const timelineLimits = {
  entriesKeptMax: 64,
  /** Followed tags whose changes are counted. */
  tagsFollowedMax: 50_000,
} as const;
