/** Bounds of featured tags. */
export const featuredTagLimits = {
  perLocalAccountMax: 10,
  /** Of those that another server shows. */
  perRemoteAccountMax: 20,
  /** Statuses looked at in one turn, to count those with a tag. */
  countedPerTurn: 200,
  /** Tags that somebody may want to feature, and the statuses that they are taken from. */
  proposedMax: 10,
  proposedFromMax: 200,
} as const;
