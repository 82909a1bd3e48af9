/**
 * What changes about statuses, for feeds, streams and caches. Event numbers are append-only over all actors (1 to 39
 * are of accounts).
 */
import { z } from 'zod';
import { eventType } from '../../../runtime/events/event.ts';
import { identifier, Visibility } from '../account.records.ts';

/** The facts that decide where a status is shown, so that no record has to be read to sort it. */
export const StatusFacts = z.object({
  id: identifier,
  accountId: identifier,
  local: z.boolean(),
  visibility: Visibility,
  reblogOfId: identifier.optional(),
  reblogOfAccountId: identifier.optional(),
  inReplyToId: identifier.optional(),
  inReplyToAccountId: identifier.optional(),
  tags: z.array(z.string()),
  mentions: z.array(identifier),
  hasMedia: z.boolean(),
  language: z.string().optional(),
});
export type StatusFacts = z.infer<typeof StatusFacts>;

/** A new status, in the partition of its author. */
export const statusPublished = eventType(1, 'status published', StatusFacts);

/** The same, in another partition that has followers of the author. */
export const statusArrived = eventType(2, 'status arrived', StatusFacts);

export const statusDeleted = eventType(3, 'status deleted', StatusFacts);

/** The deletion, in another partition that has followers of the author. */
export const statusGone = eventType(4, 'status gone', StatusFacts);

export const statusEdited = eventType(5, 'status edited', StatusFacts);

/** The edit, in another partition that has followers of the author. */
export const statusRevised = eventType(13, 'status revised', StatusFacts);

/** The numbers beside a status have changed. */
export const statusCounted = eventType(10, 'status counted', z.object({ id: identifier }));
