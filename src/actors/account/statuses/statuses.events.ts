/**
 * Events of statuses, for feeds, streams and caches. Event numbers are append-only over all actors (1 to 39 are of
 * accounts, and 78 and 79).
 */
import { z } from 'zod';
import { eventType, type Invalidation, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { isInPublicTimeline, isInTagTimelines } from '../../policy/visibility.ts';
import { identifier, Visibility } from '../account.records.ts';

const { status, statusDocument, accountCounters, statusesOfAccount, publicTimeline, tagTimeline } = cacheables;

/** The facts that decide where a status is shown, so that it is sorted without reading records. */
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
  /** The author of the quoted status. */
  quoteOfAccountId: identifier.optional(),
  /** It links to collections of accounts, of which viewers are shown different parts. */
  hasCollections: z.boolean().optional(),
  answersUnknown: z.boolean().optional(),
  /** As in the status. */
  addressed: z.array(identifier).optional(),
  /** As in the status: absent where it began the thread. */
  threadId: identifier.optional(),
  /** As in the status: it stays on this server. */
  localOnly: z.boolean().optional(),
  /** As in the status: it is in no public timeline. */
  importedFrom: z.string().optional(),
});
export type StatusFacts = z.infer<typeof StatusFacts>;

/** The lists that contain a status, and its author, whose counters include it. */
function listsOf(facts: StatusFacts): Invalidation[] {
  const lists = [invalidation(accountCounters, facts.accountId), invalidation(statusesOfAccount, facts.accountId)];
  if (isInPublicTimeline(facts)) lists.push(invalidation(publicTimeline, undefined));
  if (isInTagTimelines(facts)) for (const tag of facts.tags) lists.push(invalidation(tagTimeline, tag));
  return lists;
}

function statusOf({ id }: StatusFacts): Invalidation[] {
  return [invalidation(status, id)];
}

function statusesOf({ accountId }: StatusFacts): Invalidation[] {
  return [invalidation(statusesOfAccount, accountId)];
}

/** Also of the parent, where the author replies to itself. */
function documentsOf({ id, accountId, inReplyToId, inReplyToAccountId }: StatusFacts): Invalidation[] {
  const documents = [invalidation(statusDocument, id)];
  if (inReplyToId !== undefined && inReplyToAccountId === accountId)
    documents.push(invalidation(statusDocument, inReplyToId));
  return documents;
}

/** A new status, in the partition of its author. */
export const statusPublished = eventType(1, 'status published', StatusFacts, (facts) => [
  ...listsOf(facts),
  ...documentsOf(facts),
]);

/** The same, in another partition that has followers of the author. It may be seen before `statusPublished`. */
export const statusArrived = eventType(2, 'status arrived', StatusFacts, statusesOf);

export const statusDeleted = eventType(3, 'status deleted', StatusFacts, (facts) => [
  ...statusOf(facts),
  ...documentsOf(facts),
  ...listsOf(facts),
]);

/** The deletion, in another partition that has followers of the author. It may be seen before `statusDeleted`. */
export const statusGone = eventType(4, 'status gone', StatusFacts, (facts) => [
  ...statusOf(facts),
  ...statusesOf(facts),
]);

/** Nobody here uses it any more. Its author has not deleted it, and it may come back. */
export const statusForgotten = eventType(78, 'status forgotten', StatusFacts, (facts) => [
  ...statusOf(facts),
  ...documentsOf(facts),
  ...listsOf(facts),
]);

/** Its former tags are not named, so the lists of all tags are invalidated. */
export const statusEdited = eventType(5, 'status edited', StatusFacts, (facts) => [
  ...statusOf(facts),
  invalidation(statusDocument, facts.id),
  ...listsOf(facts),
  ...(isInTagTimelines(facts) ? [invalidation(tagTimeline, undefined)] : []),
]);

/** The edit, in another partition that has followers of the author. It may be seen before `statusEdited`. */
export const statusRevised = eventType(13, 'status revised', StatusFacts, (facts) => [
  ...statusOf(facts),
  ...statusesOf(facts),
]);

/** The counters of a status, or its replies, have changed. */
export const statusCounted = eventType(10, 'status counted', z.object({ id: identifier }), ({ id }) => [
  invalidation(status, id),
  invalidation(statusDocument, id),
]);

/** The parent of a status was deleted: it is no longer a reply. */
export const statusDetached = eventType(14, 'status detached', z.object({ id: identifier }), ({ id }) => [
  invalidation(status, id),
  invalidation(statusDocument, id),
]);

/** A status that its author wrote elsewhere: it is on the profile by its time, and in no stream. */
export const statusImported = eventType(79, 'status imported', StatusFacts, (facts) => [
  ...listsOf(facts),
  ...documentsOf(facts),
]);
