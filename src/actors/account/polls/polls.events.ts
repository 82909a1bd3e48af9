/** Events of polls. Event numbers are append-only over all actors (1 to 39 are of accounts). */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { identifier } from '../account.records.ts';

/** The totals of a status' poll have changed, or the poll has closed. */
export const pollCounted = eventType(30, 'poll counted', z.object({ statusId: identifier }), ({ statusId }) => [
  invalidation(cacheables.status, statusId),
  invalidation(cacheables.statusDocument, statusId),
]);
