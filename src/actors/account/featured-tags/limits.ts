/** Bounds of featured tags. */
export const featuredTagLimits = {
  perLocalAccountMax: 10,
  /** For remote accounts. */
  perRemoteAccountMax: 20,
  /** Statuses that one turn looks at to count those with a tag. */
  countedPerTurn: 200,
  /** Tags that are proposed, and the statuses they are taken from. */
  proposedMax: 10,
  proposedFromMax: 200,
} as const;
