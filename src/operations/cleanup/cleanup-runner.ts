/** Deletes old posts of accounts by their rule. Runs on network threads, a slice at a time (actors/account/cleanup). */
import { bookmarkedAmong } from '../../actors/account/bookmarks/bookmarks.queries.ts';
import { type CleanedSlice, cleanStatuses } from '../../actors/account/cleanup/cleanup.effects.ts';
import { cleanupOf } from '../../actors/account/cleanup/cleanup.queries.ts';
import { cleanupLimits } from '../../actors/account/cleanup/limits.ts';
import { favouritedAmong } from '../../actors/account/interactions/interactions.queries.ts';
import { statusesAfter } from '../../actors/account/leaving/leaving.queries.ts';
import { pinnedAmong } from '../../actors/account/pins/pins.queries.ts';
import { findLocalAccount, loginStateOf } from '../../actors/account/profile/logins.queries.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { countersOf } from '../../actors/account/statuses/statuses.queries.ts';
import { isKept, isOldEnough } from '../../actors/policy/status-cleanup.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { onBehalfOf } from '../on-behalf.ts';
import { deleteStatus } from '../statuses/delete-status.ts';

export function cleanupRunner(services: Services): readonly [number, EffectRunner<unknown, unknown>] {
  return runnerOf(cleanStatuses, async ({ accountId, cleanupId, after: from }): Promise<CleanedSlice> => {
    const known = cleanupOf(services.snapshots, accountId);
    const account = findLocalAccount(services.snapshots, accountId);
    // What nobody may act for keeps what it has: it is looked at again tomorrow.
    if (known?.id !== cleanupId || account === undefined || loginStateOf(account) !== 'active')
      return { cleanupId, deleted: 0 };
    const { examinedMax, deletedMax } = cleanupLimits;
    const entries = statusesAfter(services.snapshots, accountId, from, examinedMax);
    let deleted = 0;
    let after: Id | undefined;
    for (const { statusId } of entries) {
      const status = findStatusRecord(services.snapshots, statusId);
      // They are in the order of their time.
      if (status !== undefined && !isOldEnough(known.policy, status.createdAt, services.now()))
        return { cleanupId, deleted };
      after = statusId;
      if (status === undefined || isKept(known.policy, oldPost(services, accountId, status))) continue;
      await deleteStatus(onBehalfOf(services, accountId), { statusId, removesMedia: true }).catch(unlessGone);
      deleted += 1;
      if (deleted === deletedMax) return { cleanupId, deleted, after };
    }
    return { cleanupId, deleted, ...(entries.length === examinedMax && after !== undefined && { after }) };
  });
}

function oldPost({ snapshots }: Services, accountId: Id, status: NonNullable<ReturnType<typeof findStatusRecord>>) {
  const is = (among: typeof pinnedAmong) => among(snapshots, accountId, [status.id])[0] === true;
  return {
    status,
    counters: countersOf(snapshots, status.id),
    isPinned: is(pinnedAmong),
    isFavourited: is(favouritedAmong),
    isBookmarked: is(bookmarkedAmong),
  };
}

function unlessGone(error: unknown): void {
  if (!(error instanceof Failure) || error.code !== 'notFound') throw error;
}
