/** Applies the outcome of one request to its lane and its job. */
import type { Job } from './job.ts';
import type { Lane } from './lane.ts';
import type { Outcome, Verdict } from './outcome.ts';

export interface EndedRequest {
  readonly lane: Lane;
  readonly job: Job;
  readonly target: string;
  readonly startedAt: number;
  readonly now: number;
  /** From 0 up to 1 (excluded). */
  readonly random: number;
}

/** Updates the lane's health, and the job where its target must be tried again. */
export function applyOutcome(request: EndedRequest, outcome: Outcome): void {
  const { lane, target, now } = request;
  const { health } = lane;
  const { status } = outcome;
  if (status !== undefined && isRefusal(outcome.verdict)) lane.refused(now, status);
  switch (outcome.verdict) {
    case 'delivered':
      lane.succeeded(target, now);
      health.succeeded(now, lane.underWay + 1);
      return;
    case 'dropped':
      if (status !== undefined) health.answered(now);
      return;
    case 'gone':
      if (outcome.isWholeHost) health.gone(now, request.random);
      else health.answered(now);
      return;
    case 'refused':
      health.answered(now);
      keep(request, 'refused');
      return;
    case 'throttled':
      lane.noteError({ at: now, status });
      health.throttled(now, request.startedAt, outcome.pauseMilliseconds);
      keep(request, 'tried');
      return;
    case 'failed':
      lane.noteError({ at: now, status, fault: outcome.fault });
      if (outcome.isPerhapsTheEntry && failsAlone(request)) {
        health.slowDown();
        keep(request, 'refused');
      } else {
        lane.failed(target, outcome.isPerhapsTheEntry && status !== undefined);
        health.failed(now, request.startedAt, request.random);
        keep(request, 'tried');
      }
      return;
    case 'postponed':
      health.postpone(now);
      keep(request, 'untried');
  }
}

function isRefusal(verdict: Verdict): boolean {
  return verdict === 'refused' || verdict === 'dropped' || verdict === 'gone';
}

/** The target has to be tried again. */
function keep({ job, target }: EndedRequest, how: 'untried' | 'tried' | 'refused'): void {
  job.left.push(target);
  if (how !== 'untried') job.wasTried = true;
  if (how === 'refused') job.wasRefused = true;
}

/**
 * Whether this entry is at fault and not the host: others succeeded meanwhile, or it failed before and the host has
 * worked since. An entry that a host cannot process must not hold up everything behind it.
 */
function failsAlone({ lane, job, startedAt }: EndedRequest): boolean {
  const { lastSuccessAt, isFailing } = lane.health;
  if (lastSuccessAt !== undefined && lastSuccessAt > startedAt) return true;
  return !isFailing && lane.queue.wasTried(job.entry.sequence);
}
