/** Pinned statuses of an account. */
export const pinLimits = {
  /** Of a local account (Mastodon API: configuration.accounts.max_pinned_statuses). */
  perLocalAccountMax: 5,
  /** For remote accounts: their servers have their own limit. */
  perRemoteAccountMax: 20,
} as const;
