/** Bounds of timelines in a gateway thread. */
export const timelineLimits = {
  /** Of each list, the newest that are cached. */
  entriesKeptMax: 64,
  /** The entries before a reblog in which another one makes it a repetition (REBLOG_FALLOFF of Mastodon). */
  repetitionEntries: 40,
  /** Followed tags whose changes are counted. */
  tagsFollowedMax: 50_000,
} as const;
