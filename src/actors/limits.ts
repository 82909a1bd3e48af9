/** Pages, threads and timelines as they are read. */
export const readingLimits = {
  /** Entries looked at in one reading of a page, and readings until an empty page is answered. */
  entriesPerPageMax: 400,
  readingsPerPageMax: 10,
  /** Context of a status (Mastodon API); hidden statuses count as well. */
  ancestorsMax: 4_096,
  descendantsMax: 4_096,
  /** Statuses read or serialised between two pauses. */
  sliceStatuses: 256,
  /** Further tags in each of the lists that a tag timeline combines; the rest is ignored. */
  combinedTagsMax: 4,
} as const;
