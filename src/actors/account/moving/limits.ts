/** Bounds of moving, the same as Mastodon's. */
const dayMilliseconds = 24 * 60 * 60 * 1000;

export const movingLimits = {
  /** Aliases of an account (`alsoKnownAs`). */
  aliasesMax: 10,
  /** How long a local account cannot move again. */
  localRestMilliseconds: 30 * dayMilliseconds,
  /** The same for remote accounts. */
  remoteRestMilliseconds: 7 * dayMilliseconds,
  /** Followers, or accounts that block, informed of a move per turn. */
  toldPerTurn: 200,
  /** Accounts that block, looked at for those whose servers are informed besides the servers of followers. */
  blockersReadMax: 1_000,
} as const;
