/** Bounds of the buffer that answers made of encoded entities are put together in: at first, and kept at most. */
export const entityLimits = {
  bufferBytes: 256 * 1024,
  bufferBytesMax: 4 * 1024 * 1024,
} as const;
