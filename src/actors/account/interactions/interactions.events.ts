/**
 * Events of favourites, reblogs and other state between an account and a status. Event numbers are append-only over all
 * actors (1 to 39 are of accounts).
 */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { identifier } from '../account.records.ts';

/** The viewer state of a status has changed: the account has favourited it, bookmarked it, undone that … */
export const viewerStateChanged = eventType(
  12,
  'viewer state changed',
  z.object({ accountId: identifier, statusId: identifier }),
  ({ accountId, statusId }) => [invalidation(cacheables.viewerState, { viewerId: accountId, statusId })],
);
