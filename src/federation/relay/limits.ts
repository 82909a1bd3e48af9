/** Bounds of the relay, with their units in their names. Those of its state: actors/relay/limits.ts. */
export const relayBounds = {
  /** A longer activity is not passed on: Misskey reads no more, and a log of megabytes holds little. */
  bodyBytesMax: 262_144,
  /** The Follow of a server, which is stored as received. */
  followBytesMax: 8_192,
  tagsMax: 64,
  tagCharactersMax: 200,
  /** How long the progress of a subscriber waits to be stored: nearly all have progress at any time. */
  progressMilliseconds: 1_000,
} as const;
