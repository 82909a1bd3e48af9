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
  /** Uploads received at a time; further ones are refused. */
  uploadsMax: 128,
  /** Bytes of a file that are collected for one write. */
  uploadBytesAtOnce: 262_144,
  /** Writes of uploads at a time: libuv has four threads for those of all threads (options/threads.ts). */
  uploadWritesAtOnce: 2,
  /** Memory for bytes of uploads that are not written yet; what comes beyond is written before anything else is done. */
  uploadBytesWaitingMax: 33_554_432,
  /** What a connection may deliver when it is resumed: 2 to 4 MB, up to 40 where the system allows it (measured). */
  uploadBurstBytes: 16_777_216,
  /**
   * Read from all uploads of a gateway together. A megabyte takes 0.4 ms of it (measured), so that uploads hold up others for
   * a hundredth of the time however many there are.
   */
  uploadBytesPerSecond: 25_165_824,
  /** What is read before the rate counts: some photos. */
  uploadBytesAhead: 8_388_608,
  /** The HTTP library closes a connection that was not read for some eleven seconds (measured). */
  uploadPatienceMilliseconds: 4_000,
  /** A disk that has been busy with one write for so long takes no more: then uploads beyond that memory are refused. */
  uploadStallMilliseconds: 1_000,
  /** Files sent at a time; further ones are refused. */
  fileAnswersMax: 1_024,
  /** Read at a time from all of them, and of each in one go; they are sent before the next ones are read. */
  fileReadsAtOnce: 2,
  fileReadBytes: 524_288,
  /** Of a name under which a file is offered for saving; file systems allow 255 bytes. */
  filenameCharactersMax: 120,
  /** A smaller body fits into one packet whether compressed or not. */
  compressedBytesMin: 1_024,
  /** Different values of Accept-Encoding that are read once. */
  knownCodingsMax: 256,
  /** Bytes of random length in a compressed answer to a request with cookies. */
  paddingBytesMax: 100,
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
  /** Between a boundary and the end of its line. */
  multipartBlanksMax: 64,
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
