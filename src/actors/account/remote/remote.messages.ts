/**
 * Remote accounts: what their servers say, translated and with its authority checked before. Message numbers 70 to 89.
 */
import { z } from 'zod';
import { call, cast, Done, Nothing } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { Approval, CustomEmoji, identifier, Visibility } from '../account.records.ts';
import { Poll, PollTally } from '../polls/polls.records.ts';
import { Profile } from '../profile/profile.records.ts';
import { Quote } from '../quotes/quotes.records.ts';
import { FollowAnswer } from '../relationships/relationships.messages.ts';
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
  threadId: identifier.optional(),
  mentions: z.array(Mention),
  /** Local accounts among the mentioned, who may be notified. */
  localMentions: z.array(identifier),
  tags: z.array(Tag),
  emojis: z.array(CustomEmoji),
  attachments: z.array(Attachment),
  poll: Poll.optional(),
  /** Of the poll. */
  tally: PollTally.pick({ votes: true, voters: true }).optional(),
  /** Accepted where its server needs no leave or has shown it; otherwise a local author is asked. */
  quote: Quote.optional(),
  quoteApproval: Approval.optional(),
});
export type ReceivedStatus = z.infer<typeof ReceivedStatus>;

/** The ActivityPub id of a remote account's activity, where it has one, and when the request that brought it was signed. */
const Signed = { uri: z.string().optional(), signedAt: z.number() };

/** What a remote account undoes. */
const Undone = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('follow'), targetId: identifier }),
  z.object({ kind: z.literal('block'), targetId: identifier }),
  z.object({ kind: z.literal('like'), statusId: identifier, authorId: identifier }),
  z.object({ kind: z.literal('boost'), statusId: identifier, authorId: identifier }),
]);
export type Undone = z.infer<typeof Undone>;

export const remoteMessages = {
  learn: call(70, z.object({ profile: Profile }), z.object({ accountId: identifier })),
  receive: call(71, z.object({ status: ReceivedStatus, receivedAt: z.number() }), StatusReference),
  /** Also of a status that is not here, which it publishes. `activityId`: that of the Update. */
  receiveEdit: call(
    72,
    z.object({ status: ReceivedStatus, receivedAt: z.number(), activityId: z.string().optional() }),
    Done,
  ),
  /** Of a status, or of a boost by its id. */
  receiveDelete: call(73, z.object({ uri: z.string() }), Done),
  receiveReblog: call(
    74,
    z.object({
      statusId: identifier,
      authorId: identifier,
      uri: z.string(),
      publishedAt: z.number(),
      visibility: Visibility,
      signedAt: z.number().optional(),
    }),
    Done,
  ),
  // 75 was the Undo of a boost: see `receiveUndo`.
  /** Its server says that the account is deleted. */
  remoteAccountDeleted: call(76, Nothing, Done),
  /** Removes what a deleted remote account left here, a slice at a time. */
  purge: cast(77, Nothing),
  /** Asks its server for it again in the background, unless that was done within so long. */
  refresh: call(78, z.object({ ageMilliseconds: z.number() }), Done),
  refreshed: cast(79, z.object({})),
  /** Its inbox has moved: tells the next slice of the local accounts that it follows. */
  tellInbox: cast(80, z.object({ afterTargetId: identifier.optional() })),
  /** On a followed account: where a follower is reached from now on. */
  followerInbox: cast(81, z.object({ by: identifier, byDestination: Destination })),
  receiveFollow: call(82, z.object({ targetId: identifier, ...Signed }), FollowAnswer),
  receiveBlock: call(83, z.object({ targetId: identifier, ...Signed }), Done),
  receiveLike: call(84, z.object({ statusId: identifier, authorId: identifier, ...Signed }), Done),
  /** Without `undone`: of whatever has that id. */
  receiveUndo: call(85, z.object({ ...Signed, undone: Undone.optional() }), Done),
  sweepWithdrawals: cast(86, Nothing),
};
