/** Bounds of requests to other servers, with units in their names. */
export const fetcherLimits = {
  urlCharactersMax: 2_048,

  /** Addresses tried per connection attempt and family, the same as Mastodon. */
  addressesPerFamilyMax: 2,
  resolveTimeoutMilliseconds: 2_000,
  resolveTries: 2,
  connectTimeoutMilliseconds: 5_000,
  addressAttemptMilliseconds: 250,
  headersTimeoutMilliseconds: 10_000,
  bodyIdleTimeoutMilliseconds: 10_000,
  /** One GET with its waiting, redirects and body; one POST with its response body. */
  totalTimeoutMilliseconds: 30_000,

  connectionsPerOriginMax: 16,
  originsMax: 10_000,
  /**
   * How long an idle connection is kept: where the other side does not say how long it keeps it, and at most. nginx and most
   * others close it after 75 seconds; what is sent just then is sent once more.
   */
  keepAliveMilliseconds: 72_000,
  keepAliveMillisecondsMax: 75_000,
  /** Above so many connections of a thread new ones are idle for this long only. */
  longIdleConnectionsMax: 2_000,
  shortIdleMilliseconds: 20_000,
  tlsSessionsMax: 2_000,
  headerBytesMax: 16_384,

  redirectsMax: 3,
  jsonBytesMax: 1_048_576,
  jsonDepthMax: 32,
  webfingerBytesMax: 262_144,
  /** How much of an unwanted body is read, so that its connection can be reused. */
  discardedBytesMax: 65_536,

  getsPerHostMax: 2,
  getsWaitingPerHostMax: 64,
  /** The same for bodies that are written to files. */
  filesPerHostMax: 4,
  filesWaitingPerHostMax: 256,
  getsMax: 512,

  goneMilliseconds: 24 * 3_600_000,
  failureMillisecondsMin: 60_000,
  failureMillisecondsMax: 30 * 60_000,
  /** The pause after a 429 or 503 without `Retry-After`, and the longest with one. */
  throttleMilliseconds: 60_000,
  throttleMillisecondsMax: 3_600_000,
} as const;

/** The limits, replaceable by tests that reach a bound quickly. */
export type FetcherLimits = { readonly [Name in keyof typeof fetcherLimits]: number };
