/** Bounds of statuses, with their units in their names. */
export const statusLimits = {
  /** For a status edited more often, the first version and the latest ones are kept. */
  versionsMax: 100,
  /** How long a request with the same idempotency key returns the same status. */
  idempotencyMilliseconds: 60 * 60 * 1000,
  /** Local accounts that may see a remote status without being mentioned; for more it stays hidden. */
  addressedMax: 1_000,
} as const;
