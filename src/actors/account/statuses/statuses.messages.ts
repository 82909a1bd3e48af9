/** Statuses: called on their author, and their effects on other accounts. Message numbers 10 to 19, 31 and 32. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { identifier, Visibility } from '../account.records.ts';
import { Mention, partFields, Status, StatusContent } from './statuses.records.ts';

/** A mentioned account with its destination: the caller has looked it up. */
export const MentionedAccount = z.object({
  mention: Mention,
  destination: Destination.optional(),
  /** Whether the author reaches it as staff, where either has a role that was added; otherwise absent. */
  isBelow: z.boolean().optional(),
});
export type MentionedAccount = z.infer<typeof MentionedAccount>;

export const PublishStatus = StatusContent.extend({
  ...partFields('written'),
  mentions: z.array(MentionedAccount),
  /** The destination of the parent's author, when remote. */
  inReplyToDestination: Destination.optional(),
  application: Status.shape.application,
  idempotencyKey: z.string().optional(),
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
}).extend({
  ...partFields('edit'),
  statusId: identifier,
  /** Destinations of the former version, besides followers. */
  formerDestinations: z.array(Destination).optional(),
});
export type EditStatus = z.infer<typeof EditStatus>;

export const StatusReference = z.object({ statusId: identifier });
export type StatusReference = z.infer<typeof StatusReference>;

/** `isRepeated`: the status was made by an earlier request with the same idempotency key. */
export const PublishedStatus = StatusReference.extend({ isRepeated: z.boolean().optional() });
export type PublishedStatus = z.infer<typeof PublishedStatus>;

export const statusMessages = {
  publish: call(10, PublishStatus, PublishedStatus),
  edit: call(11, EditStatus, StatusReference),
  deleteStatus: call(
    12,
    z.object({
      statusId: identifier,
      destinations: z.array(Destination),
      /** Its media are removed at once; otherwise they can be attached again for a day. */
      removesMedia: z.boolean().optional(),
    }),
    Done,
  ),
  /**
   * Removes entries of others about a deleted status, in slices: `list` and `after` tell where the last one ended.
   * `isForgotten`: it was not deleted, and may come back.
   */
  sweepStatus: cast(
    13,
    z.object({
      statusId: identifier,
      list: z.number().optional(),
      after: identifier.optional(),
      isForgotten: z.boolean().optional(),
    }),
  ),
  forgetIdempotencyKey: cast(14, z.object({ key: z.string() })),
  /** Runs on the author of a reply whose parent was deleted. */
  parentDeleted: cast(16, z.object({ statusId: identifier, replyId: identifier })),
  /**
   * Runs on the author of the parent. Replies with the replying status, and with `isRepeated` as given. Only public and
   * unlisted replies are counted.
   */
  repliedTo: call(
    31,
    z.object({
      by: identifier,
      statusId: identifier,
      replyId: identifier,
      visibility: Visibility.optional(),
      isRepeated: z.boolean().optional(),
      /** The reply stays on this server: it is counted only where its parent does as well. */
      localOnly: z.boolean().optional(),
    }),
    PublishedStatus,
  ),
  replyRemoved: call(
    32,
    z.object({ statusId: identifier, replyId: identifier, visibility: Visibility.optional() }),
    Done,
  ),
};
