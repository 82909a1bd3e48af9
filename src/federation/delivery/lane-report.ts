/** The state of the lanes, for operators. */
import type { Clock } from '../../runtime/ports.ts';
import { type LaneCondition, type LaneReport, laneConditions, worstFirst } from '../../services/delivery-lanes.ts';
import { dateOf } from './dates.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { Lane } from './lane.ts';
import { egressLimits } from './limits.ts';

export interface LaneCounts {
  readonly states: ReadonlyMap<LaneCondition, number>;
  readonly pending: number;
}

/** Failing hosts, those that refused deliveries and those with the most pending first, up to the bound of a report. */
export function reportLanes(logs: readonly DeliveryLog[], clock: Clock): LaneReport[] {
  const reports: LaneReport[] = [];
  for (const log of logs) for (const lane of log.lanes.values()) if (lane !== null) reports.push(reportOf(lane, clock));
  reports.sort(worstFirst);
  return reports.slice(0, egressLimits.reportedLanesMax);
}

/** How many lanes are in each state, and how many deliveries they have. */
export function countLanes(logs: readonly DeliveryLog[]): LaneCounts {
  const states = new Map<LaneCondition, number>(laneConditions.map((state) => [state, 0]));
  let pending = 0;
  for (const { lanes } of logs) {
    for (const lane of lanes.values()) {
      if (lane === null) continue;
      const state = lane.health.condition(lane.underWay);
      states.set(state, states.get(state)! + 1);
      pending += lane.queue.length;
    }
  }
  return { states, pending };
}

function reportOf({ host, queue, health, underWay, refusals, lastRefusal }: Lane, clock: Clock): LaneReport {
  const { failingSince, nextAttemptAt, lastSuccessAt } = health;
  return {
    host,
    state: health.condition(underWay),
    pending: queue.length,
    hasMore: queue.hasGap,
    failures: health.failures,
    failingSince: dateOf(clock, failingSince),
    nextAttemptAt: health.isFailing ? dateOf(clock, nextAttemptAt) : undefined,
    lastAnswerAt: dateOf(clock, lastSuccessAt),
    refusals,
    lastRefusal: lastRefusal && { ...lastRefusal, at: dateOf(clock, lastRefusal.at) },
  };
}
