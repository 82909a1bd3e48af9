/** An account has muted or unmuted a thread; a status has become part of one. Event numbers are append-only over all actors (1 to 39 are of accounts). */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { identifier } from '../account.records.ts';
import { StatusFacts } from '../statuses/statuses.events.ts';

/** Which statuses are in the thread is not known here, so viewer states of all of them are invalidated. */
export const threadMuted = eventType(
  31,
  'thread muted',
  z.object({ accountId: identifier, threadId: identifier }),
  ({ accountId }) => [invalidation(cacheables.viewerStates, accountId)],
);

/** What a remote status answers has become known: it is a reply now, and in homes where replies to that author are. */
export const replyAttached = eventType(17, 'reply attached', StatusFacts, ({ id, accountId }) => [
  invalidation(cacheables.status, id),
  invalidation(cacheables.statusDocument, id),
  invalidation(cacheables.statusesOfAccount, accountId),
]);
