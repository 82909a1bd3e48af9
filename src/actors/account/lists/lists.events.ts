/** What changes about lists. Event numbers are append-only over all actors (1 to 39 are of accounts). */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { identifier } from '../account.records.ts';

/** What belongs into a list has changed; with `concernsHome`, also what its owner's home leaves out for it. */
export const listChanged = eventType(
  26,
  'list changed',
  z.object({ accountId: identifier, listId: identifier, concernsHome: z.boolean() }),
  ({ accountId }) => [invalidation(cacheables.followedTags, accountId)],
);
