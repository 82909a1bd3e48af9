/** Events of an account itself. Event numbers are append-only over all actors (1 to 39 are of accounts). */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { identifier } from '../account.records.ts';

/** The public profile has changed. */
export const profileChanged = eventType(9, 'profile changed', z.object({ accountId: identifier }), ({ accountId }) => [
  invalidation(cacheables.account, accountId),
  invalidation(cacheables.profile, accountId),
]);

/** An account's numbers of followers and followed accounts have changed. */
export const accountCounted = eventType(11, 'account counted', z.object({ accountId: identifier }), ({ accountId }) => [
  invalidation(cacheables.accountCounters, accountId),
]);
