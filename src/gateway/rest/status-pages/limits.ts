/** Bounds of the caches of encoded statuses, per gateway thread. */
export const statusPageLimits = {
  statusBytesMax: 64 * 1024 * 1024,
  accountBytesMax: 16 * 1024 * 1024,
  viewersMax: 20_000,
  marksPerViewerMax: 2_000,
  /** Of the buffer that pages are put together in: at first, and kept at most. */
  bufferBytes: 256 * 1024,
  bufferBytesMax: 4 * 1024 * 1024,
} as const;
