/** How deliveries to other servers are doing, by host: those that need the operator's attention first. */
import { z } from 'zod';
import { type LaneReport, laneConditions, worstFirst } from '../../services/delivery-lanes.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';

export const deliveriesListedMax = 500;

export interface ListedDeliveries {
  /** The lanes of all partitions to a host count as one. */
  readonly hosts: readonly LaneReport[];
  /** How many more there are. */
  readonly rest: number;
}

export const listDeliveries = operation({
  input: z.object({ limit: z.int().min(1).max(deliveriesListedMax) }),
  permission: 'operateMachine',
  audit: reads,
  async run({ services }, { limit }): Promise<ListedDeliveries> {
    return listedLanes(await services.deliveryLanes.reports(), limit);
  },
});

export function listedLanes(lanes: readonly LaneReport[], limit: number): ListedDeliveries {
  const hosts = new Map<string, LaneReport>();
  for (const lane of lanes) {
    const known = hosts.get(lane.host);
    hosts.set(lane.host, known === undefined ? lane : together(known, lane));
  }
  const sorted = [...hosts.values()].sort(worstFirst);
  return { hosts: sorted.slice(0, limit), rest: Math.max(0, sorted.length - limit) };
}

/** The lanes to one host, or to those of one server, as one. */
export function together(one: LaneReport, other: LaneReport): LaneReport {
  return {
    host: one.host,
    state: laneConditions.indexOf(one.state) < laneConditions.indexOf(other.state) ? other.state : one.state,
    pending: one.pending + other.pending,
    hasMore: one.hasMore || other.hasMore,
    failures: Math.max(one.failures, other.failures),
    failingSince: earliest(one.failingSince, other.failingSince),
    nextAttemptAt: earliest(one.nextAttemptAt, other.nextAttemptAt),
    lastAnswerAt: latest(one.lastAnswerAt, other.lastAnswerAt),
    refusals: one.refusals + other.refusals,
    lastRefusal: (one.lastRefusal?.at ?? 0) < (other.lastRefusal?.at ?? 0) ? other.lastRefusal : one.lastRefusal,
    lastError: (one.lastError?.at ?? 0) < (other.lastError?.at ?? 0) ? other.lastError : one.lastError,
    lastDeliveredAt: latest(one.lastDeliveredAt, other.lastDeliveredAt),
    waitingSince: earliest(one.waitingSince, other.waitingSince),
    isHeld: one.isHeld || other.isHeld,
  };
}

function earliest(one = Number.POSITIVE_INFINITY, other = Number.POSITIVE_INFINITY): number | undefined {
  const time = Math.min(one, other);
  return time === Number.POSITIVE_INFINITY ? undefined : time;
}

function latest(one = 0, other = 0): number | undefined {
  return Math.max(one, other) || undefined;
}
