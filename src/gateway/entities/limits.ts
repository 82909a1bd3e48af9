/** Bounds of the memory in which answers are assembled and cached. */
export const entityLimits = {
  /** The buffer in which answers of encoded entities are assembled: its first size, and the largest one kept. */
  bufferBytes: 256 * 1024,
  bufferBytesMax: 4 * 1024 * 1024,
  /** Pages of different lists, or with different parameters. */
  cachedPagesPerAccountMax: 4,
} as const;
