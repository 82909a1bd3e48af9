/** Bounds of streams. */
export const streamLimits = {
  /** Channels of one socket. */
  channelsPerSocketMax: 100,
  /** Bytes that wait for a slow socket; more of them switch it to gap mode. */
  backpressureBytesMax: 1024 * 1024,
  /** A frame from a client. */
  messageBytesMax: 16 * 1024,
  tagCharactersMax: 100,
  /** Seconds of silence after which a socket is given up; pings keep it alive. */
  idleSeconds: 120,
  heartbeatMilliseconds: 15_000,
  /** Statuses older than this when they arrive are not news: they are in timelines, not in streams. */
  newsMilliseconds: 6 * 60 * 60 * 1000,
  /** Events replayed to a stream that comes back, and events looked at for them; beyond it is told of the gap. */
  replayEventsMax: 2_000,
  replayEventsReadMax: 10_000,
} as const;
