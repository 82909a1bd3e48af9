/** Bounds of reading home feeds. */
export const feedLimits = {
  /** A home that takes longer to merge is answered as incomplete. */
  mergeMillisecondsMax: 1_000,
} as const;
