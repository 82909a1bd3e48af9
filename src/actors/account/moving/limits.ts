/** Bounds of moving, as Mastodon has them. */
const dayMilliseconds = 24 * 60 * 60 * 1000;

export const movingLimits = {
  /** Accounts that one may be known as. */
  aliasesMax: 10,
  /** How long a local account stays where it went. */
  localRestMilliseconds: 30 * dayMilliseconds,
  /** The same of accounts of other servers. */
  remoteRestMilliseconds: 7 * dayMilliseconds,
  /** Followers, or those who block, that are told of a move by one turn. */
  toldPerTurn: 200,
} as const;
