/** Bounds of the delivery of activities, with their units in their names. Those of lanes: outbound/lanes/limits.ts. */
const day = 24 * 3_600_000;

export const deliveryLimits = {
  /**
   * How long news about a status or an account is sent; and how long intents that end or decide something, whose loss
   * would be permanent. The log keeps nothing longer.
   */
  lifetimeMilliseconds: 7 * day,
  reactionLifetimeMilliseconds: 3 * day,
  endLifetimeMilliseconds: 14 * day,

  /** Followers at a host that are examined for those whose inbox is gone. */
  goneFollowersMax: 1_000,
} as const;
