/** Applies the result of one request to its lane and its delivery. */
import type { DeliveryResult } from '../../outbound/fetcher/deliver.ts';
import type { Job } from './job.ts';
import type { Lane } from './lane.ts';
import { isUnprocessed, type Verdict, verdictOf } from './retry-policy.ts';

export interface EndedRequest {
  readonly lane: Lane;
  readonly job: Job;
  readonly inbox: string;
  readonly startedAt: number;
  readonly now: number;
  /** From 0 up to 1 (excluded). */
  readonly random: number;
}

/** Updates the lane's health, and the job where its inbox must be tried again. Returns what the result meant. */
export function noteResult(request: EndedRequest, result: DeliveryResult): Verdict {
  const verdict = verdictOf(result);
  if (result.ok && isRefusal(verdict)) request.lane.refused(request.now, result.status);
  apply(request, result, verdict);
  return verdict;
}

function isRefusal(verdict: Verdict): boolean {
  return verdict === 'refused' || verdict === 'dropped' || verdict === 'gone';
}

function apply(request: EndedRequest, result: DeliveryResult, verdict: Verdict): void {
  const { lane, inbox, now } = request;
  const { health } = lane;
  switch (verdict) {
    case 'delivered':
      lane.succeeded(inbox);
      health.succeeded(now, lane.underWay + 1);
      return;
    case 'dropped':
      if (result.ok) health.answered(now);
      return;
    case 'gone':
      if (lane.log.targets(request.job.entry, lane.number).shared === inbox) health.gone(now, request.random);
      else health.answered(now);
      return;
    case 'refused':
      health.answered(now);
      // Some servers verify the path without its query: the next attempt signs the other form.
      if (inbox.includes('?')) lane.signsWithoutQuery = !lane.signsWithoutQuery;
      keep(request, 'refused');
      return;
    case 'throttled':
      health.throttled(now, request.startedAt, result.ok ? (result.retryAfterMilliseconds ?? 0) : 0);
      keep(request, 'tried');
      return;
    case 'failed':
      if (failsAlone(request, result)) {
        health.slowDown();
        keep(request, 'refused');
      } else {
        lane.failed(inbox, result.ok && isUnprocessed(result.status));
        health.failed(now, request.startedAt, request.random);
        keep(request, 'tried');
      }
      return;
    case 'postponed':
      health.postpone(now);
      keep(request, 'untried');
  }
}

/** The inbox is not there, or has moved for good. */
const statusesOfGoneInboxes: ReadonlySet<number> = new Set([301, 308, 404, 410]);

/** Whether a personal inbox no longer exists; for a shared inbox the answer concerns the host instead. */
export function isInboxGone(lane: Lane, job: Job, inbox: string, result: DeliveryResult): boolean {
  if (!result.ok || !statusesOfGoneInboxes.has(result.status)) return false;
  return lane.log.targets(job.entry, lane.number).shared !== inbox;
}

/** The inbox has to be tried again. */
function keep({ job, inbox }: EndedRequest, how: 'untried' | 'tried' | 'refused'): void {
  job.left.push(inbox);
  if (how !== 'untried') job.wasTried = true;
  if (how === 'refused') job.wasRefused = true;
}

/**
 * Whether this delivery is at fault and not the host: others succeeded meanwhile, or it failed before and the host has
 * worked since. A delivery that a server cannot process must not hold up everything behind it.
 */
function failsAlone({ lane, job, startedAt }: EndedRequest, result: DeliveryResult): boolean {
  if (isDigested(result)) return false;
  const { lastSuccessAt, isFailing } = lane.health;
  if (lastSuccessAt !== undefined && lastSuccessAt > startedAt) return true;
  return !isFailing && lane.queue.wasTried(job.entry.sequence);
}

/** Whether the fault of a request cannot be that of its delivery. */
function isDigested(result: DeliveryResult): boolean {
  return result.ok ? !isUnprocessed(result.status) : result.kind === 'blocked' || result.fault !== 'timedOut';
}
