/** Bounds of suggestions, and what interactions count (specification 4.7 and 8). */
export const suggestionLimits = {
  /** Suggestions stored per account; above it the one with the least weight is removed. */
  perAccountMax: 80,
  /** Interactions with one account; above it the oldest is removed. */
  interactionsMax: 40,
  interactionLifetimeMilliseconds: 90 * 24 * 60 * 60 * 1000,
  /** Accounts that wrote or changed something within this time come first. */
  recentMilliseconds: 30 * 24 * 60 * 60 * 1000,
} as const;

export const interactionWeights = { reply: 1, favourite: 10, reblog: 20 } as const;
