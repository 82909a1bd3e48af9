/** Bounds of statuses, with their units in their names. */
export const statusLimits = {
  /** For a status edited more often, the first version and the latest ones are kept. */
  versionsMax: 100,
  /** How long a request with the same idempotency key returns the same status. */
  idempotencyMilliseconds: 60 * 60 * 1000,
} as const;
