/** Records of a status. Times are milliseconds since 1970. */
import { z } from 'zod';
import { Approval, CustomEmoji, identifier, Visibility } from '../account.records.ts';
import { Poll } from '../polls/polls.records.ts';
import { Quote } from '../quotes/quotes.records.ts';

export const Mention = z.object({ id: identifier, username: z.string(), acct: z.string(), url: z.string() });
export type Mention = z.infer<typeof Mention>;

export const Tag = z.object({ name: z.string(), display: z.string() });
export type Tag = z.infer<typeof Tag>;

export const Attachment = z.object({
  id: identifier,
  type: z.enum(['unknown', 'image', 'gifv', 'video', 'audio']),
  url: z.string(),
  previewUrl: z.string().optional(),
  remoteUrl: z.string().optional(),
  description: z.string().optional(),
  blurhash: z.string().optional(),
  mediaType: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  focusX: z.number().optional(),
  focusY: z.number().optional(),
});
export type Attachment = z.infer<typeof Attachment>;

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
  attachments: z.array(Attachment),
  application: z.object({ name: z.string(), website: z.string().optional() }).optional(),
  /** The id of a remote reblog's Announce; undefined for a local one. */
  activityUri: z.string().optional(),
  poll: Poll.optional(),
  /** The status that began the thread; absent in that status itself. */
  threadId: identifier.optional(),
  quote: Quote.optional(),
  /** Who may quote it; absent for its author only. */
  quoteApproval: Approval.optional(),
  /** The collections of accounts that its text links to, each once; absent for none. */
  taggedCollections: z.array(identifier).optional(),
  /** Accounts that only earlier versions of a local status mention: their servers have it. Absent for none. */
  formerlyMentioned: z.array(identifier).optional(),
  /** A remote one answers a status that is not known here; absent for all others. */
  answersUnknown: z.boolean().optional(),
  /**
   * Local accounts that may see a remote one although it does not mention them. They are shown to nobody: some were
   * addressed by `bcc`. Absent for none.
   */
  addressed: z.array(identifier).optional(),
  /** A direct one for a chosen audience, which is no private mention (decision 47); absent for all others. */
  limited: z.boolean().optional(),
});
export type Status = z.infer<typeof Status>;

/** Remote statuses and reblogs store the ActivityPub id given by their server. */
export function isLocal({ uri, activityUri }: Pick<Status, 'uri' | 'activityUri'>): boolean {
  return uri === undefined && activityUri === undefined;
}

/** A former version of an edited status. */
export const StatusVersion = z.object({
  /** When this version was published. */
  createdAt: z.number(),
  content: z.string(),
  spoilerText: z.string(),
  sensitive: z.boolean(),
  emojis: z.array(CustomEmoji),
  attachments: z.array(Attachment),
  pollOptions: z.array(z.string()).optional(),
  quotedStatusId: identifier.optional(),
});
export type StatusVersion = z.infer<typeof StatusVersion>;

/** The counters of a status, stored apart from it because the status changes rarely. */
export const StatusCounters = z.object({
  favourites: z.number(),
  reblogs: z.number(),
  replies: z.number(),
  quotes: z.number(),
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
});
export type StatusSummary = z.infer<typeof StatusSummary>;
