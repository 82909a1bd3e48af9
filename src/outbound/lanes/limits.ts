/** Every bound of lanes, with its unit in its name. */
import { deadFailures } from '../../services/delivery-lanes.ts';
import { fetcherLimits } from '../fetcher/limits.ts';

const minute = 60_000;
const hour = 60 * minute;

export const laneLimits = {
  /** Parallel requests to one host: at first, after it has recovered, and at most. */
  windowStart: 2,
  windowRecovered: 1,
  windowMax: fetcherLimits.connectionsPerOriginMax,
  /** Parallel requests to all hosts of one thread, and to those without a recent good response. */
  requestsMax: 2_048,
  unprovedRequestsMax: 1_536,
  /** Requests being made (signed, encrypted) in the native thread pool, which commits need too. */
  requestsBeingMadeMax: 16,
  connectionsPerSecondMax: 500,
  /** How often the hosts that wait for a connection are examined. */
  connectionWaitMilliseconds: 20,
  /** A connection that was idle for this long counts as closed: a little less than it is kept. */
  connectionIdleMilliseconds: fetcherLimits.keepAliveMilliseconds - 5_000,
  /**
   * A further connection to a host is opened where more wait for each that is in use, or where none has become free for so
   * long: a handshake costs as much as several requests.
   */
  waitingPerConnectionMax: 8,
  sharedMilliseconds: 250,

  /** Waits after failures in a row, per host; the last one repeats. Each varies by the share below. */
  hostWaitsMilliseconds: [30_000, 2 * minute, 10 * minute, hour, 4 * hour, 12 * hour, 24 * hour, 48 * hour],
  waitVariation: 0.2,
  /**
   * Waits of a failing host that shows meanwhile that it is alive, by the number of waits that were shortened in vain.
   * They grow: some hosts send and never accept anything. The first are short: a host that was started anew waits for
   * answers to what it sends.
   */
  livingHostWaitsMilliseconds: [1, 2, 5, 10, 20, 40, 80, 160, 320, 720].map((minutes) => minutes * minute),
  /** A wait that would be shortened by less stays as it is. */
  shortenedMillisecondsMin: minute,
  /** How long a host must have failed, with no answer of any host meanwhile, for its failures to be forgiven. */
  silenceMillisecondsMin: minute,
  /** Failures in a row after which a host counts as dead. */
  deadFailures,
  /** Waits before the second and the last attempt of an entry that a working host refuses. */
  refusedWaitsMilliseconds: [10 * minute, hour],
  /** The shortest pause where a host asks for one; it doubles with each in a row, up to a bound. */
  throttleMillisecondsMin: 1_000,
  growingThrottleMillisecondsMax: 10 * minute,
  /** The wait when no connection was free. */
  busyMilliseconds: 5_000,

  /** Sequences that one lane holds; the rest stays in the log until there is room. */
  pendingPerLaneMax: 4_096,
  /** The same for lanes that were narrowed because all lanes together hold too much. */
  pendingPerNarrowLaneMax: 64,
  /** Delayed entries of one lane; more refused ones are given up at once. */
  delayedPerLaneMax: 256,
  /** Ranges done ahead of the cursor, per lane; at this number the lane keeps to the order of the log. */
  aheadRangesMax: 256,
  /** Positions in a queue examined for an entry that need not wait for an earlier one. */
  lookAheadMax: 32,
  /** Earlier entries with the same order key that are examined. */
  historyMax: 64,
  /** Entries that end without a request, before the thread does its other work. */
  emptyEntriesPerSlice: 256,

  /** One in so many of the entries in memory is an older one, read again for lanes that are behind. */
  olderEntriesPart: 16,
  /** Entries of the log read together, and hosts examined before the thread does its other work. */
  readEntriesAtOnce: 16,
  readHostsPerSlice: 20_000,

  /** setTimeout takes 31 bits; an alarm that fires early is set again. */
  alarmMillisecondsMax: 0x7fff_ffff,

  progressMilliseconds: 100,
  floorMilliseconds: 1_000,
  /** After a commit that failed or was not answered. */
  progressRetryMilliseconds: 1_000,
  lanesPerCommit: 256,
  /** What the log did not take by then is sent again after the next start. */
  progressStopMilliseconds: 3_000,
  stopMilliseconds: 3_000,
  /** In a cluster, where the next node waits for the end of this one. What has no answer by then is sent again. */
  handoverMilliseconds: 250,
  reportedLanesMax: 1_000,
} as const;
