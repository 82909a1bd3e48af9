/** Bounds of codes, tokens and browser sessions. */
export const sessionLimits = {
  /** Lifetime of a code (RFC 6749 section 4.1.2 recommends at most 10 minutes). */
  codeMilliseconds: 10 * 60 * 1000,
  /** How long a browser stays signed in without being used. */
  browserSessionMilliseconds: 90 * 24 * 60 * 60 * 1000,
  /** Browsers in which one account is signed in; a new one closes the oldest session. */
  browserSessionsPerAccountMax: 100,
  /** An application without any token is deleted after this long: anybody may register one. */
  unusedApplicationMilliseconds: 24 * 60 * 60 * 1000,
  /** Tokens of one account; a new one revokes the oldest. */
  tokensPerAccountMax: 500,
  /** The same for tokens of an application itself. */
  tokensPerApplicationMax: 500,
} as const;
