/** The state of deliveries to other servers, for the operator; and what gateways know of their hosts. */

export const lanesTopic = 'lanes';
export const heardFromTopic = 'heard from host';
export const retryTopic = 'retry deliveries';
export const lanesOfHostsTopic = 'lanes of hosts';

export interface AskedHosts {
  readonly hosts: readonly string[];
}

/** A host[:port], or all. */
export interface RetriedHosts {
  readonly host: string | undefined;
}

/** From the best to the worst. */
export const laneConditions = ['healthy', 'probing', 'backing off', 'dead'] as const;
/** Attempts in a row that fail, after which a host counts as dead: that takes more than five days. */
export const deadFailures = 7;
export type LaneCondition = (typeof laneConditions)[number];

/** The host answered that it does not take the delivery, which is then given up, or tried twice more. */
export interface RefusedDelivery {
  readonly status: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The host did not answer, or answered that it cannot work. */
export interface DeliveryError {
  /** Undefined where it did not answer. */
  readonly status: number | undefined;
  /** Why it did not; undefined where it did, or where nobody can say. */
  readonly fault?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The deliveries of one partition to one host. */
export interface LaneReport {
  readonly host: string;
  readonly state: LaneCondition;
  /** Deliveries known in memory; `hasMore` when further ones are in the log. */
  readonly pending: number;
  readonly hasMore: boolean;
  /** Attempts in a row at which the host failed. */
  readonly failures: number;
  /** Milliseconds since 1970, here and below. */
  readonly failingSince: number | undefined;
  readonly nextAttemptAt: number | undefined;
  /** When the host last answered, since the start of this thread. */
  readonly lastAnswerAt: number | undefined;
  /** Requests that the host refused since the start of this thread, and the last of them. */
  readonly refusals: number;
  readonly lastRefusal: RefusedDelivery | undefined;
  /** Since the start of this thread. */
  readonly lastError: DeliveryError | undefined;
  readonly lastDeliveredAt: number | undefined;
  /** When the oldest of what waits was written: how far the host is behind. */
  readonly waitingSince: number | undefined;
  /** Staff have stopped deliveries to it. */
  readonly isHeld: boolean;
}

/** The last request that failed or was refused, since the start. */
export function lastErrorOf(
  lane: Pick<LaneReport, 'lastError' | 'lastRefusal'> | undefined,
): DeliveryError | undefined {
  const { lastError, lastRefusal } = lane ?? {};
  return (lastError?.at ?? 0) < (lastRefusal?.at ?? 0) ? lastRefusal : lastError;
}

type Trouble = Pick<LaneReport, 'failures' | 'refusals' | 'pending'>;

/** For sorting: what fails comes first, then what is refused, then the most that waits. */
export function worstFirst(one: Trouble, other: Trouble): number {
  return other.failures - one.failures || other.refusals - one.refusals || other.pending - one.pending;
}

export interface DeliveryLanes {
  /** Of all hosts, up to a bound for each thread, in no order. Throws Failure while a thread cannot answer. */
  reports(): Promise<readonly LaneReport[]>;
  /** The same of some host[:port]s, to which activities are delivered. */
  ofHosts(hosts: readonly string[]): Promise<readonly LaneReport[]>;
  /**
   * Tries what waits for this host[:port], or for all, at once, where attempts have failed. Returns for how many hosts.
   * Throws Failure while a thread cannot answer.
   */
  retry(host: string | undefined): Promise<number>;
  /** An actor of this host[:port] has proved to be alive: shortens the wait of its lane. May be lost. */
  heardFrom(host: string): void;
}
