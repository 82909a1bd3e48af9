/** Bounds of web push, with their units in their names. Those of the log: actors/partition/pushes.state.ts. */
export const pushLimits = {
  /** Messages that wait for one subscription; the oldest are dropped first. */
  waitingPerSubscriptionMax: 100,
  /** The first request of a message, and five more (behaviour of the Mastodon API). */
  attemptsMax: 6,
} as const;
