/** Bounds of polls: of local ones (Mastodon API: configuration.polls) and of those received from other servers. */
export const pollLimits = {
  optionsMin: 2,
  optionsMax: 4,
  optionCharactersMax: 50,
  expirySecondsMin: 300,
  expirySecondsMax: 2_629_746,
  remoteOptionsMax: 100,
  remoteOptionCharactersMax: 500,
  /** How long new totals are collected before other servers are informed. */
  announceDelayMilliseconds: 3 * 60 * 1000,
  /** Voters notified, or votes removed, per turn. */
  votersPerTurn: 200,
  /** A remote poll that is viewed is fetched again after this. */
  refreshMilliseconds: 60 * 1000,
} as const;
