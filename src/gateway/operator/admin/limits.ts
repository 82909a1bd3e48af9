/** Every bound of the admin socket. */
export const adminLimits = {
  /** A request or an answer. */
  lineBytesMax: 65_536,
  connectionsMax: 16,
  /** How long a command waits for its answer. */
  answerMilliseconds: 60_000,
  /** Dead letters of one listing, and the most that may be asked for; characters that tell of each. */
  lettersListed: 20,
  lettersListedMax: 50,
  letterCharactersMax: 400,
} as const;
