/** Bounds of withdrawals: what remote accounts deleted or undid. */
export const withdrawalLimits = {
  /** As long as a signature is accepted: twelve hours, plus clocks that are wrong by an hour at either end. */
  lifetimeMilliseconds: 14 * 60 * 60 * 1000,
  /** Above it the oldest are forgotten. */
  perAccountMax: 4_096,
  sweptPerTurn: 100,
} as const;
