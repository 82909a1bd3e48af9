/** What changes about accounts and statuses, for feeds, streams and caches. Numbers 1 to 39: append-only. */
import { z } from 'zod';
import { eventType } from '../../runtime/events/event.ts';
import { identifier, NotificationType, Visibility } from './account.records.ts';

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

export const notified = eventType(
  6,
  'notified',
  z.object({
    accountId: identifier,
    notificationId: identifier,
    type: NotificationType,
    fromId: identifier,
    statusId: identifier.optional(),
  }),
);

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

/** What an account may see, or wants to see, has changed: blocks, mutes, filters. */
export const sightChanged = eventType(
  8,
  'sight changed',
  z.object({ accountId: identifier, targetId: identifier.optional() }),
);

/** A profile as others see it has changed. */
export const profileChanged = eventType(9, 'profile changed', z.object({ accountId: identifier }));

/** The numbers beside a status have changed. */
export const statusCounted = eventType(10, 'status counted', z.object({ id: identifier }));

/** The numbers of followers and followed beside an account have changed. */
export const accountCounted = eventType(11, 'account counted', z.object({ accountId: identifier }));

/** An account has favourited or reblogged a status, or has taken it back. */
export const marked = eventType(12, 'marked', z.object({ accountId: identifier, statusId: identifier }));
