/** An account has muted or unmuted a thread. Event numbers are append-only over all actors (1 to 39 are of accounts). */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { identifier } from '../account.records.ts';

/** Which statuses are in the thread is not known here, so viewer states of all of them are invalidated. */
export const threadMuted = eventType(
  31,
  'thread muted',
  z.object({ accountId: identifier, threadId: identifier }),
  ({ accountId }) => [invalidation(cacheables.viewerStates, accountId)],
);
