/** Bounds of what is kept of sign-ins to one account. */
export const signInLimits = {
  /** Above it the earliest are forgotten. */
  signInsMax: 150,
  /** Those that failed are counted apart: whoever tries passwords must not push out the others. */
  failedSignInsMax: 50,
  /** A further failure from the same address is left out for so long. */
  failureMilliseconds: 60 * 60 * 1000,
  userAgentCharactersMax: 256,
  /** Above it the one that was used longest ago is forgotten. */
  addressesMax: 100,
  formerEmailsMax: 20,
  formerEmailMilliseconds: 365 * 24 * 60 * 60 * 1000,
} as const;
