/** Bounds of the relay, with their units in their names. Those of its state: actors/relay/limits.ts. */
export const relayBounds = {
  /** A longer activity is not passed on: Misskey reads no more, and a log of megabytes holds little. */
  bodyBytesMax: 262_144,
  /** The Follow of a server, which is stored as received. */
  followBytesMax: 8_192,
  /** Received posts that are logged together, and of one server before others have their turn. */
  postsAtOnce: 64,
  postsOfServerAtOnce: 8,
  bytesAtOnce: 1_048_576,
  /** Received posts that wait for that in a gateway. */
  waitingBytesMax: 16_777_216,
  waitingOfServerMax: 1_024,
  tagsMax: 64,
  tagCharactersMax: 200,
  /** How long the progress of a subscriber waits to be stored: nearly all have progress at any time. */
  progressMilliseconds: 1_000,
} as const;
