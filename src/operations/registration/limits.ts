/** Bounds of signing up and signing in. */
export const registrationLimits = {
  /**
   * Passwords that one thread hashes in parallel, leaving room in the thread pool for commits; and how many may wait.
   */
  passwordsHashedAtOnceMax: 2,
  passwordsWaitingMax: 64,
  passwordCharactersMin: 8,
  passwordBytesMax: 72,
  usernameCharactersMax: 30,
  emailCharactersMax: 254,
  reasonCharactersMax: 2_000,
} as const;
