/** Bounds of reading pages, threads and timelines. */
export const readingLimits = {
  /** Entries examined per read of a page, and reads until an empty page is answered. */
  entriesPerPageMax: 400,
  readingsPerPageMax: 10,
  /** Entries of a feed read at a time behind a page of which nothing is shown. */
  feedEntriesPerReading: 80,
  /** Context of a status (Mastodon API); hidden statuses are counted too. */
  ancestorsMax: 4_096,
  descendantsMax: 4_096,
  /** Statuses read or serialised between two pauses. */
  sliceStatuses: 256,
  /** Additional tags per list of a combined tag timeline; the rest is ignored. */
  combinedTagsMax: 4,
} as const;
