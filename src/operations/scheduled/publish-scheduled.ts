/** Publishes a scheduled status that is due, on behalf of its account. Runs on network threads. */
import { publishScheduled } from '../../actors/account/scheduled/scheduled.effects.ts';
import { findScheduled } from '../../actors/account/scheduled/scheduled.queries.ts';
import { mayPass } from '../../federation/failures.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { onBehalfOf } from '../on-behalf.ts';
import { publishStatus } from '../statuses/publish-status.ts';

/**
 * A publication that is refused for good (the parent was deleted, the account is suspended …) is dropped, which the
 * author sees in the list; one that failed temporarily is tried again.
 */
export function scheduledRunner(services: Services): readonly [number, EffectRunner<unknown, unknown>] {
  return runnerOf(publishScheduled, async ({ accountId, scheduledId }, cause) => {
    const post = findScheduled(services.snapshots, accountId, scheduledId)?.post;
    if (post === undefined) return { scheduledId, isOver: true };
    try {
      const { applicationId: _applicationId, ...written } = post;
      const idempotencyKey = `scheduled status ${scheduledId}`;
      await publishStatus(onBehalfOf(services, accountId, cause), { ...written, idempotencyKey });
      return { scheduledId, isOver: true };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { scheduledId, isOver: error.code !== 'internal' && !mayPass(error) };
    }
  });
}
