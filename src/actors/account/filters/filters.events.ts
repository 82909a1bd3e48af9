/** Events of filters. Event numbers are append-only over all actors (1 to 39 are of accounts). */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { identifier } from '../account.records.ts';

/** One event per request, however many keywords it changed (specification 6.1). */
export const filtersChanged = eventType(25, 'filters changed', z.object({ accountId: identifier }), ({ accountId }) => [
  invalidation(cacheables.filters, accountId),
]);
