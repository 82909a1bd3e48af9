/**
 * Fetches the thread of a remote status that somebody with an account has opened, in the background. The actor of its host
 * makes sure that this happens once, however many people open it.
 */
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { type Status, threadOf } from '../../actors/account/statuses/statuses.records.ts';
import { Domain } from '../../actors/domain/domain.messages.ts';
import { findThreadProgress, type ThreadProgress } from '../../actors/domain/threads/threads.queries.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import { Failure } from '../../runtime/errors.ts';
import { traced } from '../../runtime/flow.ts';
import type { Id } from '../../runtime/ids.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import { flowOfHost, type Services } from '../../services/services.ts';
import { hostOf } from '../documents/values.ts';
import { activityLimits } from '../limits.ts';

type ThreadServices = Pick<Services, 'snapshots' | 'now' | 'options' | 'events' | 'members'> & {
  readonly client: Pick<Services['client'], 'call'>;
};

/** A thread that is being fetched. */
export interface RunningThread {
  /** The status with which it began. */
  readonly statusId: Id;
  /** Statuses that were not here before. */
  readonly stored: number;
}

/**
 * Undefined where nothing is being fetched for the thread of this status. The answer waits until the request is on disk,
 * once in the time after which a thread is fetched again; where that fails, the next reader asks.
 */
export async function fetchThreadWhenOld(
  services: ThreadServices,
  statusId: Id,
  cause: string | undefined,
): Promise<RunningThread | undefined> {
  const status = findStatusRecord(services.snapshots, statusId);
  const host = status && hostOfThread(status);
  if (status === undefined || host === undefined) return undefined;
  const known = progressOf(services, status);
  if (known?.isRunning === true) return { statusId: known.statusId, stored: known.stored };
  if (known !== undefined || !isWanted(services, status, host)) return undefined;
  const { fetchRepliesRequests: requestsMax, fetchRepliesPerHost: requestsPerHostMax } = services.options;
  const ageMilliseconds = services.options.fetchRepliesMinutes * 60_000;
  const bounds = { ageMilliseconds, requestsMax, requestsPerHostMax };
  const message = Domain.fetchThread.to(host, { statusId, uri: status.uri!, ...bounds });
  try {
    await services.client.call(message, traced(flowOfHost(host), cause));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
  const begun = findThreadProgress(services.snapshots, host, statusId);
  return begun?.isRunning === true ? { statusId, stored: begun.stored } : undefined;
}

/** Undefined where the thread of this status was not fetched lately. */
export function threadProgress(services: Pick<Services, 'snapshots'>, statusId: Id): ThreadProgress | undefined {
  const status = findStatusRecord(services.snapshots, statusId);
  const host = status && hostOfThread(status);
  return host === undefined ? undefined : findThreadProgress(services.snapshots, host, statusId);
}

/** Of the status, or of the one that began its thread, if that was fetched as a whole or still is. */
function progressOf(services: ThreadServices, status: Status): (ThreadProgress & { statusId: Id }) | undefined {
  const own = threadProgress(services, status.id);
  if (own !== undefined) return { ...own, statusId: status.id };
  const rootId = threadOf(status);
  const root = rootId === status.id ? undefined : threadProgress(services, rootId);
  return root === undefined || (root.isCut && !root.isRunning) ? undefined : { ...root, statusId: rootId };
}

function isWanted(services: ThreadServices, { createdAt }: Status, host: string): boolean {
  if (!services.options.fetchReplies || domainPolicy(services).isSuspended(host)) return false;
  return createdAt <= services.now() - activityLimits.threadAgeMillisecondsMin;
}

/** The host of a remote status that everybody may see. */
function hostOfThread(status: Status): string | undefined {
  const { uri } = status;
  return uri === undefined || !isForEverybody(status) ? undefined : hostOf(uri);
}
