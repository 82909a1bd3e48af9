/**
 * Bounds of the buffer in which answers of encoded entities are assembled: its first size, and the largest one kept.
 */
export const entityLimits = {
  bufferBytes: 256 * 1024,
  bufferBytesMax: 4 * 1024 * 1024,
} as const;
