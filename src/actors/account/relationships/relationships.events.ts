/** Events of relationships. Event numbers are append-only over all actors (1 to 39 are of accounts). */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { identifier } from '../account.records.ts';

/** In the follower's partition. */
export const followChanged = eventType(
  7,
  'follow changed',
  z.object({
    accountId: identifier,
    targetId: identifier,
    following: z.boolean(),
    showReblogs: z.boolean(),
    languages: z.array(z.string()).optional(),
  }),
);

/** An account's blocks or mutes have changed, and with them whose statuses it is shown. */
export const hiddenAccountsChanged = eventType(
  8,
  'hidden accounts changed',
  z.object({ accountId: identifier, targetId: identifier.optional() }),
  ({ accountId }) => [invalidation(cacheables.hiddenAccounts, accountId)],
);
