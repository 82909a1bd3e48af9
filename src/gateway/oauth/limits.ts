/** Every bound of signing up, signing in and of applications. */
export const oauthLimits = {
  /** Grants that one gateway thread keeps ready by their tokens. */
  grantsMax: 16_384,
  /** Of an application (behaviour of the Mastodon API). */
  applicationNameCharactersMax: 60,
  websiteCharactersMax: 2_000,
  redirectUrisCharactersMax: 2_000,
  /** Passwords that one gateway thread hashes at a time, so that commits find room in the thread pool; and that wait. */
  passwordsHashedAtOnceMax: 2,
  passwordsWaitingMax: 64,
  passwordCharactersMin: 8,
  passwordBytesMax: 72,
  emailCharactersMax: 254,
  reasonCharactersMax: 2_000,
  stateCharactersMax: 4_096,
  formBytesMax: 65_536,
} as const;
