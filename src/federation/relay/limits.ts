/** Bounds of the relay, with their units in their names. Those of its state: actors/relay/limits.ts. */
export const relayBounds = {
  /** A longer activity is not passed on: Misskey reads no more, and a log of megabytes holds little. */
  bodyBytesMax: 262_144,
  /** The Follow of a server, which is stored as received. */
  followBytesMax: 8_192,
  tagsMax: 64,
  tagCharactersMax: 200,
  /** A signature that is made once for all hosts is made anew after this: receivers compare its date with their clock. */
  sharedSignatureMilliseconds: 60_000,
} as const;
