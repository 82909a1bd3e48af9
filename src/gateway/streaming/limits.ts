/** Bounds of streams. */
export const streamLimits = {
  /** Channels of one socket. */
  channelsPerSocketMax: 100,
  /** Those of them that watch a status, a thread or an account: each decides anew what its viewer is shown. */
  watchedPerSocketMax: 50,
  /** Changes of the counters of a status are told to its watchers after at least this pause. */
  countsPauseMilliseconds: 500,
  /** Streams of one gateway, WebSockets and server-sent events together. */
  streamsPerAccountMax: 300,
  streamsPerAddressMax: 3_000,
  /** Bytes queued for a slow socket; above that it gets nothing until it has caught up, then `gap`. */
  backpressureBytesMax: 1024 * 1024,
  /** A frame from a client. */
  messageBytesMax: 16 * 1024,
  /**
   * Seconds without a word from the client after which a socket is closed. The HTTP library sends a ping sixteen seconds
   * before, and counts in steps of four: a silent client gets one every 24 to 28 seconds (30 from Mastodon). Some clients
   * give up after 40 seconds without one.
   */
  idleSeconds: 44,
  heartbeatMilliseconds: 15_000,
  /** Heartbeats are spread over so many moments, so that a thousand streams do not beat at once. */
  heartbeatSlots: 15,
  /** Statuses that are older than this when they arrive appear in timelines only. */
  newsMilliseconds: 6 * 60 * 60 * 1000,
  /** Events sent to a resuming stream, and events read for it; above either it gets `gap`. */
  replayEventsMax: 2_000,
  replayEventsReadMax: 10_000,
  /** Events of the logs that replays of a gateway read and decode together; further ones each reads for itself. */
  replayEventsSharedMax: 16_384,
  /** Longest time for which replays occupy the thread at once: no longer than writing, so that live events get as much. */
  replaySliceMilliseconds: 1,
  /** Longest time for which writing to sockets occupies the thread at once. */
  writeSliceMilliseconds: 1,
  /** Sockets of one native topic: about as many as can be written in such a slice. */
  shardSocketsMax: 128,
  /** A replay pauses while more bytes than this are queued for its stream. */
  replayWaitingBytesMax: 256 * 1024,
} as const;
