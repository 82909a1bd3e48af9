/** Every bound of requests to other servers, with its unit in its name. */
export const fetcherLimits = {
  urlCharactersMax: 2_048,

  /** Addresses tried per connection attempt and family, as Mastodon does. */
  addressesPerFamilyMax: 2,
  resolveTimeoutMilliseconds: 2_000,
  resolveTries: 2,
  connectTimeoutMilliseconds: 5_000,
  addressAttemptMilliseconds: 250,
  headersTimeoutMilliseconds: 10_000,
  bodyIdleTimeoutMilliseconds: 10_000,
  /** One GET with its waiting, its redirects and its body; one POST with its answer's body. */
  totalTimeoutMilliseconds: 30_000,

  connectionsPerOriginMax: 16,
  originsMax: 10_000,
  keepAliveMilliseconds: 20_000,
  keepAliveMillisecondsMax: 120_000,
  tlsSessionsMax: 2_000,
  headerBytesMax: 16_384,

  redirectsMax: 3,
  jsonBytesMax: 1_048_576,
  jsonDepthMax: 32,
  webfingerBytesMax: 262_144,
  /** What is read of a body that nobody wants, so that its connection can be used again. */
  discardedBytesMax: 65_536,

  getsPerHostMax: 2,
  getsWaitingPerHostMax: 64,
  getsMax: 512,

  goneMilliseconds: 24 * 3_600_000,
  failureMillisecondsMin: 60_000,
  failureMillisecondsMax: 30 * 60_000,
  /** How long a 429 or 503 without `Retry-After` keeps us away, and the longest that one with it does. */
  throttleMilliseconds: 60_000,
  throttleMillisecondsMax: 3_600_000,
} as const;

/** The limits as a composition may replace them; tests do so to see a bound reached quickly. */
export type FetcherLimits = { readonly [Name in keyof typeof fetcherLimits]: number };
