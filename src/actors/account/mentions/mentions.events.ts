/** Events of an account that was notified of a status. Event numbers are append-only over all actors. */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { identifier } from '../account.records.ts';
import { StatusFacts } from '../statuses/statuses.events.ts';

/**
 * A status is gone for an account that was notified of it and does not have it at home: it was deleted, or is direct and no
 * longer mentions the account.
 */
export const statusWithdrawn = eventType(
  15,
  'status withdrawn',
  z.object({ accountId: identifier, statusId: identifier }),
);

/** The edit, for an account that was notified of the status and does not have it at home. */
export const notifiedStatusEdited = eventType(
  16,
  'notified status edited',
  z.object({ accountId: identifier, facts: StatusFacts }),
  ({ facts }) => [invalidation(cacheables.status, facts.id)],
);
