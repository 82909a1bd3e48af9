/** Pinned statuses of an account. */
export const pinLimits = {
  /** Of a local account (Mastodon API: configuration.accounts.max_pinned_statuses). */
  perLocalAccountMax: 5,
  /** Of a remote account: its own server has a limit of its own. */
  perRemoteAccountMax: 20,
} as const;
