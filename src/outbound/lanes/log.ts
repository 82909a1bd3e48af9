/**
 * The port *what is sent*. A durable log in each partition has entries for hosts; each host has a lane. Lanes decide
 * when to send, and in which order; an entry knows its content, its targets, and how to make and send a request.
 *
 * Activities are one implementation (federation/delivery). To send something else, implement DeliveryLog, LogEntry and
 * PreparedEntry, and start a `Lanes` with it; queues, retries, budgets and progress stay as they are.
 * - Each entry is delivered at least once: after a crash, the last tenth of a second is repeated. Receivers recognise
 *   activities by their ids.
 * - What all requests of an entry share is made once, by `prepare`. What differs between targets, such as a body
 *   encrypted for one subscription, is made by `requestTo`.
 * - `SendRequest` decides what an answer means, and acts on it, for example by removing a subscription.
 *   `outcomeOfResponse` (http-outcome.ts) reads answers over HTTP, with their Retry-After.
 * - A host is whatever fails, recovers and is bounded as a whole: a server, a push service, a recipient of mail.
 * - A sender that has reached a bound of its own answers 'postponed': the host waits for a few seconds.
 */
import type { LaneProgress, LaneState } from '../../actors/partition/partition.records.ts';
import type { Outcome } from './outcome.ts';

export interface DeliveryLog {
  /** The sequence of the newest entry; 0 for none. */
  newest(): number;
  /** The next entries after a sequence, oldest first. */
  entriesAfter(sequence: number, limit: number): readonly AddressedEntry[];
  /** Undefined when the log no longer has it. */
  find(sequence: number): LogEntry | undefined;
  /** The host with this number, such as host[:port]. */
  hostOf(number: number): string | undefined;
  /** Undefined for a host that never had a lane. */
  numberOf(host: string): number | undefined;
  laneState(number: number): LaneState | undefined;
  /** Stores the progress of this thread's lanes, or rejects. The reply says whether there is more to trim. */
  store(progress: LogProgress): Promise<{ readonly more: boolean }>;
}

export interface LogProgress {
  readonly lanes: LaneProgress[];
  /** Below this sequence no lane of the thread needs the log. */
  readonly floor: number;
}

/** An entry with its hosts, which may be thousands: they are not kept with the entry. */
export interface AddressedEntry {
  readonly entry: LogEntry;
  /** Calls `visit` with the number of each host; with some of them twice. Returns about how many there are. */
  visitHosts(visit: (number: number) => void): number;
}

/** An entry in memory, the same for all its hosts. */
export interface LogEntry {
  readonly sequence: number;
  /** Its memory, without what `prepare` caches. */
  readonly bytes: number;
  /** Entries with the same key reach a host in order. An accidental collision causes a wait and nothing else. */
  readonly orderKey: bigint;
  /** No earlier entry can have its order key. */
  readonly isFirstOfOrder: boolean;
  /** A date: when it was written. Absent where nobody is told how long it waits. */
  readonly at?: number;
  /** A date: it is not sent later. */
  readonly expiresAt: number;
  /** Numbers of the hosts at which it precedes entries that are not urgent there. */
  readonly urgentAt: readonly number[];
  /** The latest earlier entry with the same order key, 0 when none is known. Set by LogEntries. */
  previous: number;
  /**
   * What it does to an earlier entry with the same order key that a host has not got: with 'both' neither needs to be
   * sent, with 'earlier' this one is sufficient.
   */
  supersedes(earlier: LogEntry): 'both' | 'earlier' | undefined;
  /** Where it goes at one host: URLs or other addresses, each of which gets one request. Empty when nobody is left. */
  targetsAt(host: number): readonly string[];
  /**
   * What all its requests share: at once, except where keys have to be generated. Undefined when there is nothing to
   * send. The promise rejects when it cannot be prepared now.
   */
  prepare(): PreparedEntry | Promise<PreparedEntry | undefined> | undefined;
}

export interface PreparedEntry {
  /** Signs or encrypts one request. Undefined when it can never be sent. Never rejects. */
  requestTo(target: string, host: LaneHost): Promise<SendRequest | undefined>;
}

/** Sends the request, and settles when it has ended. Never rejects. */
export type SendRequest = () => Promise<Outcome>;

export interface LaneHost {
  /** Such as host[:port]. */
  readonly host: string;
  /** Its number in the partition. */
  readonly number: number;
}
