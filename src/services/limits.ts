/** Bounds of reading home feeds. */
export const feedLimits = {
  /** A page beyond a ring that takes longer to merge is answered as incomplete. */
  mergeMillisecondsMax: 1_000,
} as const;
