/**
 * Remote accounts: what their servers say, translated and with its authority checked before. Message numbers 70 to 89.
 */
import { z } from 'zod';
import { call, cast, Done, Nothing } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { CustomEmoji, identifier, Visibility } from '../account.records.ts';
import { Profile } from '../profile/profile.records.ts';
import { StatusReference } from '../statuses/statuses.messages.ts';
import { Attachment, Mention, Tag } from '../statuses/statuses.records.ts';

/** A status that another server published, translated and cleaned. */
export const ReceivedStatus = z.object({
  uri: z.string(),
  url: z.string().optional(),
  publishedAt: z.number(),
  editedAt: z.number().optional(),
  visibility: Visibility,
  sensitive: z.boolean(),
  spoilerText: z.string(),
  content: z.string(),
  language: z.string().optional(),
  inReplyToId: identifier.optional(),
  inReplyToAccountId: identifier.optional(),
  mentions: z.array(Mention),
  /** Local accounts among the mentioned, who may be notified. */
  localMentions: z.array(identifier),
  tags: z.array(Tag),
  emojis: z.array(CustomEmoji),
  attachments: z.array(Attachment),
});
export type ReceivedStatus = z.infer<typeof ReceivedStatus>;

export const remoteMessages = {
  learn: call(70, z.object({ profile: Profile }), z.object({ accountId: identifier })),
  receive: call(71, z.object({ status: ReceivedStatus, receivedAt: z.number() }), StatusReference),
  receiveEdit: call(72, z.object({ status: ReceivedStatus, receivedAt: z.number() }), Done),
  receiveDelete: call(73, z.object({ uri: z.string() }), Done),
  receiveReblog: call(
    74,
    z.object({
      statusId: identifier,
      authorId: identifier,
      uri: z.string(),
      publishedAt: z.number(),
      visibility: Visibility,
    }),
    Done,
  ),
  receiveUndoReblog: call(75, z.object({ statusId: identifier, authorId: identifier }), Done),
  /** Its server says that the account is deleted. */
  remoteAccountDeleted: call(76, Nothing, Done),
  /** Removes what a deleted remote account left here, a slice at a time. */
  purge: cast(77, Nothing),
  /** Asks its server for it again in the background, unless that was done within so long. */
  refresh: call(78, z.object({ ageMilliseconds: z.number() }), Done),
  refreshed: cast(79, z.object({})),
  /** Its inbox has moved: the next slice of those that it follows here hears of it. */
  tellInbox: cast(80, z.object({ afterTargetId: identifier.optional() })),
  /** On a followed account: where a follower is reached from now on. */
  followerInbox: cast(81, z.object({ by: identifier, byDestination: Destination })),
};
