/** Bounds of the admin socket. */
export const adminLimits = {
  /** A request or an answer. */
  lineBytesMax: 65_536,
  connectionsMax: 16,
  /** How long a command waits for its answer. */
  answerMilliseconds: 60_000,
} as const;
