/** Events of lists. Event numbers are append-only over all actors (1 to 39 are of accounts). */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { identifier } from '../account.records.ts';

/** The content of a list has changed; with `concernsHome`, also what the owner's home omits because of it. */
export const listChanged = eventType(
  26,
  'list changed',
  z.object({ accountId: identifier, listId: identifier, concernsHome: z.boolean() }),
  ({ accountId }) => [invalidation(cacheables.followedTags, accountId)],
);
