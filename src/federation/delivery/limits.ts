/** Every bound of deliveries to other servers, with its unit in its name. */
import { fetcherLimits } from '../fetcher/limits.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export const egressLimits = {
  /** Requests under way at one host: at first, after it has recovered, and at most. */
  windowStart: 2,
  windowRecovered: 1,
  windowMax: fetcherLimits.connectionsPerOriginMax,
  /** Requests under way at all hosts of one thread, and at those that have not answered well lately. */
  requestsMax: 2_048,
  unprovedRequestsMax: 1_536,
  /** Signatures that wait for the native thread pool, which commits need too. */
  signaturesMax: 16,
  connectionsPerSecondMax: 500,
  /** How often the hosts that wait for a connection are looked at. */
  connectionWaitMilliseconds: 20,
  /** A connection that was idle for this long counts as closed: a little less than it is kept. */
  connectionIdleMilliseconds: fetcherLimits.keepAliveMilliseconds - 5_000,

  /** Waits after failures in a row, per host; the last one repeats. Each varies by the share below. */
  hostWaitsMilliseconds: [30_000, 2 * minute, 10 * minute, hour, 4 * hour, 12 * hour, 24 * hour, 48 * hour],
  waitVariation: 0.2,
  /** Failures in a row after which a host counts as dead. */
  deadFailures: 7,
  /** Waits before the second and the last attempt of a delivery that a working host refuses. */
  refusedWaitsMilliseconds: [10 * minute, hour],
  throttleMillisecondsMin: 1_000,
  /** After a refusal of our own making: no connection was free. */
  busyMilliseconds: 5_000,

  /** Followers at a host that are looked at for those whose inbox is gone. */
  goneFollowersMax: 1_000,

  /**
   * How long what is said of a status or an account is worth saying; and what ends or decides something, which would
   * stand for ever if it were not heard. The log keeps nothing longer.
   */
  lifetimeMilliseconds: 7 * day,
  reactionLifetimeMilliseconds: 3 * day,
  endLifetimeMilliseconds: 14 * day,

  /** Sequences that one lane holds; the rest stays in the log until there is room. */
  pendingPerLaneMax: 4_096,
  /** Refused deliveries that wait for their next attempt in one lane; more are given up at once. */
  delayedPerLaneMax: 256,
  /** Ranges done ahead of the cursor, per lane; at this number the lane keeps to the order of the log. */
  aheadRangesMax: 256,
  /** Places in a queue that are looked at for something that need not wait for an earlier delivery. */
  lookAheadMax: 32,
  /** Earlier deliveries about the same thing that are followed back. */
  historyMax: 64,
  /** Deliveries that end without a request, before the thread looks at its other work. */
  emptyDeliveriesPerSlice: 256,

  /** One part in so many of the deliveries in memory are older ones, read again for lanes that are behind. */
  olderEntriesPart: 16,
  /** Entries of the log read together, and hosts looked at before the thread looks at its other work. */
  readEntriesAtOnce: 16,
  readHostsPerSlice: 20_000,

  /** setTimeout takes 31 bits; an alarm that comes early is set again. */
  alarmMillisecondsMax: 0x7fff_ffff,

  progressMilliseconds: 100,
  floorMilliseconds: 1_000,
  /** After a commit that failed or was not answered. */
  progressRetryMilliseconds: 1_000,
  lanesPerCommit: 256,
  stopMilliseconds: 3_000,
  reportedLanesMax: 1_000,
} as const;
