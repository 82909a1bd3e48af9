/** What an account can be told. The only file of this actor, beside events, records and queries, that others import. */
import { z } from 'zod';
import { call, cast, contract } from '../../runtime/contract.ts';
import { Destination } from '../intents.ts';
import { accountKind } from '../kinds.ts';
import {
  Attachment,
  CustomEmoji,
  FollowOptions,
  identifier,
  KeyPair,
  Login,
  Mention,
  NotificationType,
  Profile,
  Tag,
  Visibility,
} from './account.records.ts';

const Nothing = z.object({});
const Done = z.undefined();

/** A new local account: the profile without what the turn decides. */
export const CreateAccount = z.object({
  username: z.string(),
  login: Login,
  displayName: z.string(),
  locked: z.boolean(),
  bot: z.boolean(),
});

/** Fields that stay undefined stay as they are. */
export const ChangeProfile = z.object({
  displayName: z.string().optional(),
  note: z.string().optional(),
  noteHtml: z.string().optional(),
  fields: Profile.shape.fields.optional(),
  avatar: z.string().optional(),
  header: z.string().optional(),
  locked: z.boolean().optional(),
  bot: z.boolean().optional(),
  discoverable: z.boolean().optional(),
  indexable: z.boolean().optional(),
  hideCollections: z.boolean().optional(),
  defaultPrivacy: Visibility.optional(),
  defaultSensitive: z.boolean().optional(),
  defaultLanguage: z.string().optional(),
});

/** Staff and command line: fields that stay undefined stay as they are. */
export const ChangeLogin = z.object({
  role: Login.shape.role.optional(),
  passwordHash: z.string().optional(),
  email: z.string().optional(),
  confirmed: z.boolean().optional(),
  approved: z.boolean().optional(),
  disabled: z.boolean().optional(),
  suspended: z.boolean().optional(),
});

/** A mentioned account with where it lives: the gateway has looked it up. */
export const MentionedAccount = z.object({ mention: Mention, destination: Destination.optional() });

export const PublishStatus = z.object({
  text: z.string(),
  content: z.string(),
  visibility: Visibility,
  sensitive: z.boolean(),
  spoilerText: z.string(),
  language: z.string().optional(),
  inReplyToId: identifier.optional(),
  inReplyToAccountId: identifier.optional(),
  /** Where the author of the parent lives, when it is remote. */
  inReplyToDestination: Destination.optional(),
  mentions: z.array(MentionedAccount),
  tags: z.array(Tag),
  emojis: z.array(CustomEmoji),
  attachments: z.array(Attachment),
  application: z.object({ name: z.string(), website: z.string().optional() }).optional(),
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
  attachments: true,
}).extend({
  statusId: identifier,
  /** Where the status went before, beside followers. */
  formerDestinations: z.array(Destination).optional(),
});

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

export const StatusReference = z.object({ statusId: identifier });
export type StatusReference = z.infer<typeof StatusReference>;

/** `refused`: a block, a suspension or a move stands against it. */
const FollowAnswer = z.object({ state: z.enum(['requested', 'accepted', 'refused']) });
export type FollowAnswer = z.infer<typeof FollowAnswer>;

/** Who acts from elsewhere, and where answers to it go (absent for local accounts). */
const By = { by: identifier, byDestination: Destination.optional() };

/** Somebody else's status: its author, and how the author's server knows it (absent for local authors). */
const Original = {
  statusId: identifier,
  authorId: identifier,
  authorDestination: Destination.optional(),
  statusUri: z.string().optional(),
};

export const Account = contract(accountKind, {
  // Life of a local account.
  create: call(1, CreateAccount, z.object({ accountId: identifier })),
  changeProfile: call(2, ChangeProfile, Done),
  changeLogin: call(3, ChangeLogin, Done),
  /** The first pair stays; the reply is the pair in force. */
  adoptKeys: call(4, KeyPair, KeyPair),

  // Statuses, called on their author.
  publish: call(10, PublishStatus, StatusReference),
  edit: call(11, EditStatus, StatusReference),
  deleteStatus: call(12, z.object({ statusId: identifier, destinations: z.array(Destination) }), Done),
  /** Removes what others left on a deleted status, a slice at a time: `list` and `after` tell where the last one ended. */
  sweepStatus: cast(13, z.object({ statusId: identifier, list: z.number().optional(), after: identifier.optional() })),
  forgetIdempotencyKey: cast(14, z.object({ key: z.string() })),
  /** On an account that had reblogged: the original is gone. */
  originalDeleted: cast(15, z.object({ statusId: identifier })),

  // Interactions. Called on the author of the status, who decides, and hands on to the account that acts.
  favourite: call(20, z.object({ statusId: identifier, ...By, uri: z.string().optional() }), Done),
  favouriteKept: call(21, z.object({ ...Original, favouriteId: identifier }), Done),
  unfavourite: call(22, z.object(Original), Done),
  /** `favouriteId`: the favourite that the account had kept, if it had. */
  unfavourited: call(23, z.object({ statusId: identifier, by: identifier, favouriteId: identifier.optional() }), Done),
  reblog: call(
    24,
    z.object({ statusId: identifier, by: identifier, visibility: Visibility.optional() }),
    StatusReference,
  ),
  reblogAllowed: call(
    25,
    z.object({
      ...Original,
      visibility: Visibility,
      language: z.string().optional(),
      hasMedia: z.boolean(),
    }),
    StatusReference,
  ),
  reblogged: call(26, z.object({ statusId: identifier, by: identifier, reblogId: identifier }), StatusReference),
  unreblog: call(27, z.object(Original), Done),
  unreblogged: call(28, z.object({ statusId: identifier, by: identifier }), Done),

  // Consequences for others.
  mentioned: cast(30, z.object({ by: identifier, statusId: identifier, visibility: Visibility })),
  /** The visibility is that of the reply: only replies that everybody may see are counted. */
  repliedTo: cast(
    31,
    z.object({ by: identifier, statusId: identifier, replyId: identifier, visibility: Visibility.optional() }),
  ),
  replyRemoved: cast(32, z.object({ statusId: identifier, replyId: identifier, visibility: Visibility.optional() })),
  /** On a follower who asked for a bell: the followed account has published. */
  followedPublished: cast(33, z.object({ by: identifier, statusId: identifier, language: z.string().optional() })),
  dismissStatus: cast(34, z.object({ statusId: identifier })),
  /** On the author of an edited status: those who reblogged it hear of it, a slice at a time. */
  tellRebloggers: cast(35, z.object({ statusId: identifier, afterReblogId: identifier.optional() })),
  /** On the author of a new status: those who asked for a bell hear of it, a slice at a time. */
  ringBells: cast(
    36,
    z.object({ statusId: identifier, language: z.string().optional(), afterFollowerId: identifier.optional() }),
  ),

  // Relationships. Called on the account that acts.
  follow: call(
    40,
    z.object({
      targetId: identifier,
      options: FollowOptions.partial(),
      targetDestination: Destination.optional(),
      /** The ActivityPub id of a remote account's Follow. */
      uri: z.string().optional(),
    }),
    FollowAnswer,
  ),
  /** On the target: may I? */
  followAsked: call(
    41,
    z.object({
      ...By,
      followId: identifier,
      options: FollowOptions,
      uri: z.string().optional(),
      /** Handed back with the answer: where a new follow is to be delivered. */
      targetDestination: Destination.optional(),
    }),
    FollowAnswer,
  ),
  followAnswered: call(
    42,
    z.object({
      targetId: identifier,
      followId: identifier,
      options: FollowOptions,
      state: FollowAnswer.shape.state,
      targetDestination: Destination.optional(),
    }),
    FollowAnswer,
  ),
  unfollow: call(43, z.object({ targetId: identifier, targetDestination: Destination.optional() }), Done),
  /** On the target: the follow is over. With `followId` only that follow is meant. */
  unfollowed: call(44, z.object({ ...By, followId: identifier.optional() }), Done),
  /** On the follower: the target has accepted, or wants me gone. With `followId` only that follow is meant. */
  followAccepted: cast(45, z.object({ targetId: identifier, followId: identifier.optional() })),
  followRejected: cast(46, z.object({ targetId: identifier, followId: identifier.optional() })),
  authorizeFollow: call(47, z.object({ requesterId: identifier, requesterDestination: Destination.optional() }), Done),
  rejectFollow: call(48, z.object({ requesterId: identifier, requesterDestination: Destination.optional() }), Done),
  /** The account is unlocked: the next slice of its pending requests. */
  authorizePending: cast(49, Nothing),
  block: call(
    50,
    z.object({
      targetId: identifier,
      targetDestination: Destination.optional(),
      /** The ActivityPub id of a remote account's Block. */
      uri: z.string().optional(),
    }),
    Done,
  ),
  /** On the blocked account. */
  blocked: call(51, z.object(By), Done),
  unblock: call(52, z.object({ targetId: identifier, targetDestination: Destination.optional() }), Done),
  unblocked: call(53, z.object(By), Done),
  mute: call(54, z.object({ targetId: identifier, hideNotifications: z.boolean(), durationSeconds: z.number() }), Done),
  unmute: call(55, z.object({ targetId: identifier }), Done),
  muteExpired: cast(56, z.object({ targetId: identifier, muteId: identifier })),
  /** A remote account asks to follow the server's own actor. `uri`: the id of its Follow. */
  followServer: call(57, z.object({ uri: z.string().optional() }), Done),

  // Notifications.
  dismissNotification: call(60, z.object({ notificationId: identifier }), Done),
  /** `untilId`: of a clearing that goes on; it takes the notifications below this id. */
  clearNotifications: call(61, z.object({ untilId: identifier.optional() }), Done),
  notify: cast(62, z.object({ type: NotificationType, fromId: identifier, statusId: identifier.optional() })),

  // Remote accounts: what their servers say. The translation and the authority checks are done before.
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
  /** Its server has deleted the account. */
  depart: call(76, Nothing, Done),
  /** Takes out what a departed account left here, a slice at a time. */
  sweepDeparted: cast(77, Nothing),
  /** Asks its server for it again in the background, unless that was done within so long. */
  refresh: call(78, z.object({ ageMilliseconds: z.number() }), Done),
  refreshed: cast(79, z.object({})),
  /** Its inbox has moved: the next slice of those that it follows here hears of it. */
  tellInbox: cast(80, z.object({ afterTargetId: identifier.optional() })),
  /** On a followed account: where a follower is reached from now on. */
  followerInbox: cast(81, z.object({ by: identifier, byDestination: Destination })),
});
