/** Bounds of requests to reply. */
export const replyRequestLimits = {
  /** Of one account. Where more wait, the oldest count as refused. */
  perAccountMax: 500,
  /** Nobody answers what is older: it counts as refused. */
  ageMilliseconds: 90 * 24 * 60 * 60 * 1000,
} as const;
