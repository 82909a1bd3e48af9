/** Sessions: codes, tokens, people signed in to the pages. */
export const sessionLimits = {
  /** How long a code waits for its exchange (RFC 6749 section 4.1.2 recommends at most 10 minutes). */
  codeMilliseconds: 10 * 60 * 1000,
  browserSessionMilliseconds: 14 * 24 * 60 * 60 * 1000,
  /** Browsers in which one account is signed in; a new one pushes the oldest out. */
  browserSessionsPerAccountMax: 100,
  /** An application that nobody got a token through is forgotten after this long: anybody may register one. */
  unusedApplicationMilliseconds: 24 * 60 * 60 * 1000,
  /** Tokens of one account; a new one pushes the oldest out. */
  tokensPerAccountMax: 500,
  /** The same for tokens of an application itself. */
  tokensPerApplicationMax: 500,
} as const;
