/** Polls: what may be asked here (Mastodon API: configuration.polls), and what is taken from other servers. */
export const pollLimits = {
  optionsMin: 2,
  optionsMax: 4,
  optionCharactersMax: 50,
  expirySecondsMin: 300,
  expirySecondsMax: 2_629_746,
  remoteOptionsMax: 100,
  remoteOptionCharactersMax: 500,
  /** How long new totals wait for more of them before other servers are told. */
  announceDelayMilliseconds: 3 * 60 * 1000,
  /** Voters told, or whose votes are dropped, per turn. */
  votersPerTurn: 200,
  /** A remote poll that somebody looks at is asked for again after this. */
  refreshMilliseconds: 60 * 1000,
} as const;
