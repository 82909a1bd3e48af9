/** Bounds of the caches of encoded statuses, per gateway thread. */
export const statusPageLimits = {
  statusBytesMax: 64 * 1024 * 1024,
  accountBytesMax: 16 * 1024 * 1024,
  viewersMax: 20_000,
  marksPerViewerMax: 2_000,
} as const;
