/** Bounds of building archives. */
export const archiveLimits = {
  /** Entries of a list in a slice. */
  sliceItemsMax: 200,
  /** Media in a slice; the last file may exceed it. */
  sliceMediaBytesMax: 64 * 1024 * 1024,
} as const;
