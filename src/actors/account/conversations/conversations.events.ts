/** A conversation has a new status. Event numbers are append-only over all actors (1 to 39 are of accounts). */
import { z } from 'zod';
import { eventType } from '../../../runtime/events/event.ts';
import { identifier } from '../account.records.ts';

export const conversationContinued = eventType(
  32,
  'conversation continued',
  z.object({ accountId: identifier, threadId: identifier }),
);
