/** Bounds of the admin socket. */
export const adminLimits = {
  /** A request or an answer: a picture of 8 MB in base64. */
  lineBytesMax: 12 * 1_048_576,
  connectionsMax: 16,
  /** How long a command waits for its answer. */
  answerMilliseconds: 60_000,
} as const;
