/** Records of a status. Times are milliseconds since 1970. */
import { z } from 'zod';
import type { Intersection } from '../../status-part.ts';
import { CustomEmoji, identifier, Visibility } from '../account.records.ts';
import { cardPart } from '../cards/card.part.ts';
import { taggedCollectionsPart } from '../collections/tagged-collections.part.ts';
import { attachmentsPart } from '../media/attachments.part.ts';
import { pollPart } from '../polls/poll.part.ts';
import { quotePart } from '../quotes/quote.part.ts';
import { audiencePart } from './audience.part.ts';
import { heldReplyPart } from './held-reply.part.ts';
import { localOnlyPart } from './local-only.part.ts';
import { replyPolicyPart } from './reply-policy.part.ts';

export const Mention = z.object({ id: identifier, username: z.string(), acct: z.string(), url: z.string() });
export type Mention = z.infer<typeof Mention>;

export const Tag = z.object({ name: z.string(), display: z.string() });
export type Tag = z.infer<typeof Tag>;

/** Every part of a status. The rows are append only: see `version`. */
export const statusParts = {
  attachments: attachmentsPart,
  poll: pollPart,
  quote: quotePart,
  collections: taggedCollectionsPart,
  audience: audiencePart,
  card: cardPart,
  replyPolicy: replyPolicyPart,
  localOnly: localOnlyPart,
  heldReply: heldReplyPart,
};
export type PartName = keyof typeof statusParts;

type ShapeKind = 'stored' | 'written' | 'edit' | 'received' | 'version';

/** The fields of all parts. */
export function partFields<Kind extends ShapeKind>(kind: Kind): Intersection<(typeof statusParts)[PartName][Kind]> {
  return Object.assign({}, ...Object.values(statusParts).map((part) => part[kind]));
}

/** Fields are stored by position: those of a new part come last. */
export const Status = z.object({
  id: identifier,
  accountId: identifier,
  /** The ActivityPub id of a remote status; that of a local one derives from the origin. */
  uri: z.string().optional(),
  url: z.string().optional(),
  createdAt: z.number(),
  editedAt: z.number().optional(),
  visibility: Visibility,
  sensitive: z.boolean(),
  spoilerText: z.string(),
  /** The text as written; local statuses only. */
  text: z.string(),
  content: z.string(),
  language: z.string().optional(),
  inReplyToId: identifier.optional(),
  inReplyToAccountId: identifier.optional(),
  /** A reblog has no content of its own. */
  reblogOfId: identifier.optional(),
  reblogOfAccountId: identifier.optional(),
  mentions: z.array(Mention),
  tags: z.array(Tag),
  emojis: z.array(CustomEmoji),
  ...attachmentsPart.stored,
  application: z.object({ name: z.string(), website: z.string().optional() }).optional(),
  /** The id of a remote reblog's Announce; undefined for a local one. */
  activityUri: z.string().optional(),
  ...pollPart.stored,
  /** The status that began the thread; absent in that status itself. */
  threadId: identifier.optional(),
  ...quotePart.stored,
  ...taggedCollectionsPart.stored,
  /** Accounts that only earlier versions of a local status mention: their servers have it. Absent for none. */
  formerlyMentioned: z.array(identifier).optional(),
  /** A remote one answers a status that is not known here; absent for all others. */
  answersUnknown: z.boolean().optional(),
  ...audiencePart.stored,
  ...cardPart.stored,
  ...replyPolicyPart.stored,
  ...localOnlyPart.stored,
  /** The ActivityPub id that it had where its author wrote it, before it was imported. */
  importedFrom: z.string().optional(),
  ...heldReplyPart.stored,
});
export type Status = z.infer<typeof Status>;

/** What its author says besides the parts. */
export const StatusContent = Status.pick({
  text: true,
  content: true,
  visibility: true,
  sensitive: true,
  spoilerText: true,
  language: true,
  inReplyToId: true,
  inReplyToAccountId: true,
  threadId: true,
  mentions: true,
  tags: true,
  emojis: true,
});

/** Remote statuses and reblogs store the ActivityPub id given by their server. */
export function isLocal({ uri, activityUri }: Pick<Status, 'uri' | 'activityUri'>): boolean {
  return uri === undefined && activityUri === undefined;
}

/** A former version of an edited status. */
export const StatusVersion = z.object({
  /** When this version was published. */
  createdAt: z.number(),
  ...StatusContent.pick({ content: true, spoilerText: true, sensitive: true, emojis: true }).shape,
  ...partFields('version'),
});
export type StatusVersion = z.infer<typeof StatusVersion>;

/** The counters of a status, stored apart from it because the status changes rarely. */
export const StatusCounters = z.object({
  favourites: z.number(),
  reblogs: z.number(),
  replies: z.number(),
  quotes: z.number(),
  /** How many more the server of a remote one has told of when it was read last; absent for none. */
  favouritesElsewhere: z.number().optional(),
  reblogsElsewhere: z.number().optional(),
});
export type StatusCounters = z.infer<typeof StatusCounters>;

/** What is needed to choose from an account's list of statuses without reading each. */
export const StatusSummary = z.object({
  visibility: Visibility,
  reblogOfId: identifier.optional(),
  reblogOfAccountId: identifier.optional(),
  inReplyToAccountId: identifier.optional(),
  hasMedia: z.boolean(),
  language: z.string().optional(),
  /** The accounts that a direct status mentions or is addressed to: it is in their home timelines. */
  mentions: z.array(identifier).optional(),
  answersUnknown: z.boolean().optional(),
  limited: z.boolean().optional(),
  localOnly: z.boolean().optional(),
  /** It is in no home. */
  imported: z.boolean().optional(),
});
export type StatusSummary = z.infer<typeof StatusSummary>;

/** The id of the status that began the thread. */
export function threadOf({ id, threadId }: Pick<Status, 'id' | 'threadId'>): bigint {
  return threadId ?? id;
}
