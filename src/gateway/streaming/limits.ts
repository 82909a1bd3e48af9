/** Bounds of streams. */
export const streamLimits = {
  /** Channels of one socket. */
  channelsPerSocketMax: 100,
  /** Streams of one gateway, WebSockets and server-sent events together. */
  streamsPerAccountMax: 300,
  streamsPerAddressMax: 3_000,
  /** Bytes that wait for a slow socket; more of them switch it to gap mode. */
  backpressureBytesMax: 1024 * 1024,
  /** A frame from a client. */
  messageBytesMax: 16 * 1024,
  /** Seconds of silence after which a socket is given up; pings keep it alive. */
  idleSeconds: 120,
  heartbeatMilliseconds: 15_000,
  /** Moments into which a heartbeat is divided, so that a thousand streams do not beat at once. */
  heartbeatSlots: 15,
  /** Statuses older than this when they arrive are not news: they are in timelines, not in streams. */
  newsMilliseconds: 6 * 60 * 60 * 1000,
  /** Events replayed to a stream that comes back, and events looked at for them; beyond it is told of the gap. */
  replayEventsMax: 2_000,
  replayEventsReadMax: 10_000,
  /** How long replays may hold the thread before they let other work pass. */
  replaySliceMilliseconds: 3,
  /** How long writing to sockets may hold the thread before it looks whether there is more to write. */
  writeSliceMilliseconds: 1,
  /** Sockets of one native topic: about as many as are written in such a slice. */
  shardSocketsMax: 128,
  /** A stream with more waiting bytes than this is not given more of its replay until it has taken them. */
  replayWaitingBytesMax: 256 * 1024,
} as const;
