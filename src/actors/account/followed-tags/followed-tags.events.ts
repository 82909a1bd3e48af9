/** Events of followed tags. Event numbers are append-only over all actors (1 to 39 are of accounts). */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { identifier } from '../account.records.ts';

export const followedTagsChanged = eventType(
  27,
  'followed tags changed',
  z.object({ accountId: identifier }),
  ({ accountId }) => [invalidation(cacheables.followedTags, accountId)],
);
