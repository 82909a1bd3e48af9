/** Statuses, called on their author, and what they mean for others. Message numbers 10 to 19, 30 to 35. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { SenderTraits } from '../../policy/notification-policy.ts';
import { Approval, CustomEmoji, identifier, Visibility } from '../account.records.ts';
import { Poll } from '../polls/polls.records.ts';
import { Quote, QuotePolicy } from '../quotes/quotes.records.ts';
import { Attachment, Mention, Tag } from './statuses.records.ts';

/** A mentioned account with where it lives: the gateway has looked it up. */
export const MentionedAccount = z.object({ mention: Mention, destination: Destination.optional() });

const NewPoll = Poll.omit({ expiresAt: true }).extend({ expiresInSeconds: z.number() });

export const PublishStatus = z.object({
  text: z.string(),
  content: z.string(),
  visibility: Visibility,
  sensitive: z.boolean(),
  spoilerText: z.string(),
  language: z.string().optional(),
  inReplyToId: identifier.optional(),
  inReplyToAccountId: identifier.optional(),
  /** That of the parent. */
  threadId: identifier.optional(),
  /** Where the author of the parent lives, when it is remote. */
  inReplyToDestination: Destination.optional(),
  mentions: z.array(MentionedAccount),
  tags: z.array(Tag),
  emojis: z.array(CustomEmoji),
  attachments: z.array(Attachment),
  application: z.object({ name: z.string(), website: z.string().optional() }).optional(),
  idempotencyKey: z.string().optional(),
  poll: NewPoll.optional(),
  /** `request`: where a remote author is asked, and for which status. */
  quote: Quote.extend({ request: z.object({ uri: z.string(), destination: Destination }).optional() }).optional(),
  quoteApproval: Approval.optional(),
});
export type PublishStatus = z.infer<typeof PublishStatus>;

export const EditStatus = PublishStatus.pick({
  text: true,
  content: true,
  sensitive: true,
  spoilerText: true,
  language: true,
  mentions: true,
  tags: true,
  emojis: true,
  attachments: true,
  poll: true,
}).extend({
  statusId: identifier,
  /** Where the status went before, beside followers. */
  formerDestinations: z.array(Destination).optional(),
  /** The poll stays as it is, whatever `poll` says. */
  keepsPoll: z.boolean().optional(),
  /** What is not given stays. */
  quotePolicy: QuotePolicy.optional(),
});

export const StatusReference = z.object({ statusId: identifier });
export type StatusReference = z.infer<typeof StatusReference>;

/** `isRepeated`: the status is that of an earlier request with the same idempotency key. */
export const PublishedStatus = StatusReference.extend({ isRepeated: z.boolean().optional() });
export type PublishedStatus = z.infer<typeof PublishedStatus>;

export const statusMessages = {
  publish: call(10, PublishStatus, PublishedStatus),
  edit: call(11, EditStatus, StatusReference),
  deleteStatus: call(12, z.object({ statusId: identifier, destinations: z.array(Destination) }), Done),
  /** Removes what others left on a deleted status, a slice at a time: `list` and `after` tell where the last one ended. */
  sweepStatus: cast(13, z.object({ statusId: identifier, list: z.number().optional(), after: identifier.optional() })),
  forgetIdempotencyKey: cast(14, z.object({ key: z.string() })),
  /** On the author of a reply whose parent is gone. */
  parentDeleted: cast(16, z.object({ statusId: identifier, replyId: identifier })),
  /** On an account that had reblogged: the original is gone. */
  originalDeleted: cast(15, z.object({ statusId: identifier })),
  /** The reply is the status that mentions. */
  mentioned: call(
    30,
    z.object({
      by: identifier,
      statusId: identifier,
      visibility: Visibility,
      threadId: identifier.optional(),
      inReplyToId: identifier.optional(),
      sender: SenderTraits.optional(),
    }),
    StatusReference,
  ),
  /**
   * On the author of the parent; answers with the replying status, and with `isRepeated` as given. Only replies that
   * everybody may see are counted.
   */
  repliedTo: call(
    31,
    z.object({
      by: identifier,
      statusId: identifier,
      replyId: identifier,
      visibility: Visibility.optional(),
      isRepeated: z.boolean().optional(),
    }),
    PublishedStatus,
  ),
  replyRemoved: call(
    32,
    z.object({ statusId: identifier, replyId: identifier, visibility: Visibility.optional() }),
    Done,
  ),
  dismissStatus: cast(34, z.object({ statusId: identifier, threadId: identifier.optional() })),
  /** On the author of an edited status: those who reblogged it hear of it, a slice at a time. */
  tellRebloggers: cast(35, z.object({ statusId: identifier, afterReblogId: identifier.optional() })),
};
