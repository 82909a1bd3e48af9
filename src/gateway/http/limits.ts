/** Every bound of the HTTP layer: bytes, characters, counts and times of one request or one server. */
export const httpLimits = {
  /** Request line and headers together; uWebSockets.js answers 431 above it. Signed requests and long id lists fit. */
  headBytesMax: 16_384,
  /** Body of a route that declares no bound of its own. */
  bodyBytesMax: 1_048_576,
  /**
   * Body of an endpoint that declares no bound of its own. Parsing this much text and refusing it takes some 3 ms, in
   * which the thread serves nothing else (measured). Requests of endpoints are far smaller: a status has some 500
   * characters.
   */
  parametersBytesMax: 262_144,
  /**
   * A refused body up to this size is read and dropped, so that the client gets the answer; above, the connection is
   * closed.
   */
  discardedBodyBytesMax: 67_108_864,
  /** A larger body of an answer is sent in pieces of this size, one in each round of the event loop. */
  answerBytesAtOnce: 131_072,
  pieceBytes: 65_536,
  /** Blocks of that size that a gateway keeps for the next large answers: two or three of them. */
  idleBlocksMax: 64,
  /**
   * A client that reads slowly may take as long as it needs at this rate, and some time beyond; one that reads nothing is
   * closed by the HTTP library within some ten seconds.
   */
  answerBytesPerSecondMin: 4_096,
  answerGraceMilliseconds: 30_000,
  /** While too much waits for clients, answers of which nothing was read for this long are closed. */
  answerStallMilliseconds: 1_000,
  /** A burst of large answers may take this much of their bound; what comes then is refused. */
  answerBurst: 2,
  /** Keys, list elements and parts of one request. */
  parameterCountMax: 4_096,
  parameterDepthMax: 16,
  multipartHeaderBytesMax: 8_192,
  /** Sentences in one `Validation failed: …` answer. */
  validationSentencesMax: 10,
  requestIdCharactersMax: 64,
  tokenCharactersMax: 1_024,
  /** Validated queries cached per endpoint, and how long each may be. */
  knownQueriesMax: 256,
  knownQueryCharactersMax: 100,
  /** How much of the query a link of a page repeats: clients refuse answers with heads of 16 kB. */
  linkQueryCharactersMax: 4_096,
  preflightAgeSeconds: 86_400,
  /** Slots of the shared table of rate limit counters, 8 bytes each; a power of two. */
  rateLimitSlots: 131_072,
  /** Neighbouring slots that one key may use. */
  rateLimitProbes: 16,
  /** Attempts to change a counter that other threads change too; after these one request is not counted. */
  rateLimitAttempts: 1_024,
} as const;
