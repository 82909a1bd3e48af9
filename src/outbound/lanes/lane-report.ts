/** The state of the lanes, for operators. */
import type { Clock } from '../../runtime/ports.ts';
import { type LaneCondition, type LaneReport, laneConditions, worstFirst } from '../../services/delivery-lanes.ts';
import { dateOf } from './dates.ts';
import type { Lane } from './lane.ts';
import { laneLimits } from './limits.ts';

export interface LaneCounts {
  readonly states: ReadonlyMap<LaneCondition, number>;
  readonly pending: number;
}

/** Failing hosts, those that refused deliveries and those with the most pending first, up to the bound of a report. */
export function reportLanes(lanes: Iterable<Lane>, clock: Clock): LaneReport[] {
  const reports = Array.from(lanes, (lane) => ({ lane, report: reportOf(lane, clock) }));
  reports.sort((one, other) => worstFirst(one.report, other.report));
  return reports
    .slice(0, laneLimits.reportedLanesMax)
    .map(({ lane, report }) => ({ ...report, waitingSince: oldestOf(lane) }));
}

/** Reads the log where the entry is not in memory. */
function oldestOf({ queue, log }: Lane): number | undefined {
  const { lowest } = queue;
  return Number.isFinite(lowest) ? log.entries.get(lowest)?.at : undefined;
}

/** How many lanes are in each state, and how many deliveries they have. */
export function countLanes(lanes: Iterable<Lane>): LaneCounts {
  const states = new Map<LaneCondition, number>(laneConditions.map((state) => [state, 0]));
  let pending = 0;
  for (const lane of lanes) {
    const state = lane.health.condition(lane.underWay);
    states.set(state, states.get(state)! + 1);
    pending += lane.queue.length;
  }
  return { states, pending };
}

function reportOf(lane: Lane, clock: Clock): Omit<LaneReport, 'waitingSince'> {
  const { host, queue, health, underWay, refusals, lastRefusal, lastError, deliveredAt, isHeld } = lane;
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
    lastError: lastError && { ...lastError, at: dateOf(clock, lastError.at) },
    lastDeliveredAt: dateOf(clock, deliveredAt),
    isHeld,
  };
}
