/** Bounds of tokens and of the pages of signing in. */
export const oauthLimits = {
  /** Grants that one gateway thread caches. */
  grantsMax: 16_384,
  stateCharactersMax: 4_096,
  formBytesMax: 65_536,
} as const;
