/** Bounds of two-factor authentication. */
export const twoFactorLimits = {
  recoveryCodes: 10,
  passkeysMax: 25,
  passkeyNameCharactersMax: 60,
  /** Of what a browser answers, in JSON; keys with long certificates do not reach it. */
  passkeyAnswerCharactersMax: 16_384,
  transportsMax: 8,
  transportCharactersMax: 32,
  /** Challenges that were used and have not ended: ten minutes of signing in without a pause. */
  usedChallengesMax: 200,
  /** Of mails about wrong codes (behaviour of the Mastodon API). */
  toldOfFailuresEveryMilliseconds: 60 * 60 * 1_000,
} as const;
