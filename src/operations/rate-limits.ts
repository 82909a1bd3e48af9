/**
 * Rate limits of operations, the same for every interface. Limits per request belong to the HTTP layer
 * (gateway/http/rate-limits.ts).
 */
export interface RateLimit {
  /**
   * What is counted: an account (for a caller without one, the address), always the address, or what the operation names.
   */
  readonly per: 'account' | 'address' | 'subject';
  /** Attempts are counted before the operation runs, successes after it. */
  readonly counts: 'attempts' | 'successes';
  readonly countMax: number;
  /** A multiple of 5. */
  readonly windowMinutes: number;
}

export const operationRateLimits = {
  statusDeletion: { per: 'account', counts: 'attempts', countMax: 30, windowMinutes: 30 },
  media: { per: 'account', counts: 'attempts', countMax: 30, windowMinutes: 30 },
  /**
   * Files of other servers that have to be fetched first; those that are kept cost nothing. Mastodon's 30 in 10 minutes
   * would be one page of a new server, where avatars and emojis come this way as well.
   */
  remoteMedia: { per: 'address', counts: 'attempts', countMax: 600, windowMinutes: 10 },
  signUp: { per: 'address', counts: 'attempts', countMax: 5, windowMinutes: 30 },
  /** Mails to addresses of whoever asks. */
  mailRequests: { per: 'address', counts: 'attempts', countMax: 10, windowMinutes: 30 },
  /** Of one address that is to get mail, from wherever; each account has a bound of its own. */
  emailSubscriptions: { per: 'subject', counts: 'attempts', countMax: 20, windowMinutes: 1_440 },
  signIn: { per: 'address', counts: 'attempts', countMax: 25, windowMinutes: 5 },
  /** Of an account, from wherever; a browser that signed in before has its own (decision 68). */
  signInOfAccount: { per: 'subject', counts: 'attempts', countMax: 25, windowMinutes: 60 },
  /** Codes, of which there are only a million; the same. */
  twoFactor: { per: 'subject', counts: 'attempts', countMax: 10, windowMinutes: 60 },
  twoFactorOfDay: { per: 'subject', counts: 'attempts', countMax: 60, windowMinutes: 1_440 },
  /** The password of an account that is signed in: whoever finds its browser open must not guess it. */
  ownPassword: { per: 'account', counts: 'attempts', countMax: 10, windowMinutes: 10 },
  /** Archives of posts, from the moment at which one begins to arrive: each may be gigabytes. */
  archives: { per: 'account', counts: 'attempts', countMax: 12, windowMinutes: 60 },
  imports: { per: 'account', counts: 'attempts', countMax: 30, windowMinutes: 60 },
  statuses: { per: 'account', counts: 'successes', countMax: 300, windowMinutes: 180 },
  invites: { per: 'account', counts: 'successes', countMax: 100, windowMinutes: 1_440 },
  follows: { per: 'account', counts: 'successes', countMax: 400, windowMinutes: 1_440 },
  reports: { per: 'account', counts: 'successes', countMax: 400, windowMinutes: 1_440 },
} as const satisfies Record<string, RateLimit>;

export type OperationRateLimit = keyof typeof operationRateLimits;

/** Those of what the operation names. */
export type SubjectRateLimit = {
  [Name in OperationRateLimit]: (typeof operationRateLimits)[Name]['per'] extends 'subject' ? Name : never;
}[OperationRateLimit];

/** The counters of one caller. */
export interface CallerLimits {
  /** Counts one. Throws Failure tooManyRequests above the limit. */
  take(name: Exclude<OperationRateLimit, SubjectRateLimit>): void;
  /** The same for what is named. Answers do not show what is left of it. */
  takeFor(name: SubjectRateLimit, subject: string): void;
  /** Throws Failure tooManyRequests when nothing is left. Counts nothing. */
  check(name: Exclude<OperationRateLimit, SubjectRateLimit>): void;
  /** Counts one success. */
  count(name: Exclude<OperationRateLimit, SubjectRateLimit>): void;
}

const nothing = () => undefined;

/** For callers without limits: timers, the command line. */
export const unlimited: CallerLimits = { take: nothing, takeFor: nothing, check: nothing, count: nothing };
