/** Finds whom the new totals of a poll are delivered to. Runs on network threads. */
import { findPollAudience } from '../../actors/account/polls/polls.effects.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import type { Services } from '../../services/services.ts';
import { destinationsOfStatus } from '../statuses/own-status.ts';

export function pollAudienceRunner(services: Services): readonly [number, EffectRunner<unknown, unknown>] {
  return runnerOf(findPollAudience, async ({ statusId }) => {
    const status = findStatusRecord(services.snapshots, statusId);
    const found = status === undefined ? [] : await services.slices.run(destinationsOfStatus(services, status));
    return { statusId, destinations: found };
  });
}
