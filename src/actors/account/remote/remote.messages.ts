/**
 * Remote accounts, as their servers describe them: translated, with the sender's authority checked before. Message
 * numbers 70 to 85, 87 to 89, 192, 193, 224, 570, 571 and 655.
 */
import { z } from 'zod';
import { call, cast, Done, Nothing, Slice } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { identifier, Visibility } from '../account.records.ts';
import { Profile } from '../profile/profile.records.ts';
import { FollowAnswer } from '../relationships/relationships.messages.ts';
import { StatusReference } from '../statuses/statuses.messages.ts';
import { partFields, StatusContent } from '../statuses/statuses.records.ts';

/** A status that another server published, translated and sanitised. */
export const ReceivedStatus = StatusContent.omit({ text: true }).extend({
  ...partFields('received'),
  uri: z.string(),
  url: z.string().optional(),
  publishedAt: z.number(),
  editedAt: z.number().optional(),
  /** The local accounts among those mentioned, to be notified. */
  localMentions: z.array(identifier),
  /** What it answers could not be found, or may not be seen by its author. */
  answersUnknown: z.boolean().optional(),
  /** What its server says of its totals. */
  totals: z.object({ favourites: z.number().optional(), reblogs: z.number().optional() }).optional(),
});
export type ReceivedStatus = z.infer<typeof ReceivedStatus>;

/**
 * The ActivityPub id of a remote account's activity, if it has one, and when the request that delivered it was signed.
 */
const Signed = { uri: z.string().optional(), signedAt: z.number() };

/** The activity that a remote account undoes. */
const Undone = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('follow'), targetId: identifier }),
  z.object({ kind: z.literal('block'), targetId: identifier }),
  z.object({ kind: z.literal('like'), statusId: identifier, authorId: identifier }),
  z.object({ kind: z.literal('boost'), statusId: identifier, authorId: identifier }),
]);
export type Undone = z.infer<typeof Undone>;

export const remoteMessages = {
  /** `signedAt`: of the Update that describes it; absent where it was fetched. */
  learnProfile: call(
    70,
    z.object({ profile: Profile, signedAt: z.number().optional() }),
    z.object({ accountId: identifier }),
  ),
  receiveStatus: call(71, z.object({ status: ReceivedStatus, receivedAt: z.number() }), StatusReference),
  /** Also for an unknown status, which it publishes. `activityId`: that of the Update. */
  receiveStatusEdit: call(
    72,
    z.object({ status: ReceivedStatus, receivedAt: z.number(), activityId: z.string().optional() }),
    Done,
  ),
  /** Of a status, or of a reblog by its id. */
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
  // 75 was the Undo of a reblog: see `receiveUndo`.
  /** Its server reports the account as deleted. */
  remoteAccountDeleted: call(76, Nothing, Done),
  /** Removes what a deleted remote account left here, in slices. */
  purge: cast(77, Slice),
  /**
   * Removes what a remote account left here, because staff purge its server, which is told nothing. Whoever followed it, or
   * was followed, is told of what ends with `domain`. Repeating changes nothing.
   */
  purgeKnown: call(224, z.object({ domain: z.string() }), Done),
  /** Fetches the account again in the background, unless that was done within this age. */
  refresh: call(78, z.object({ ageMilliseconds: z.number() }), Done),
  refreshed: cast(79, z.object({})),
  /** Its inbox has changed: informs the next slice of the local accounts that it follows, or that feature it. */
  tellInbox: cast(80, z.object({ afterTargetId: identifier.optional(), afterCollectionId: identifier.optional() })),
  /** Runs on an account that it follows, or that features it: its new inbox. */
  followerInbox: cast(81, z.object({ by: identifier, byDestination: Destination })),
  receiveFollow: call(82, z.object({ targetId: identifier, ...Signed }), FollowAnswer),
  receiveBlock: call(83, z.object({ targetId: identifier, ...Signed }), Done),
  receiveLike: call(84, z.object({ statusId: identifier, authorId: identifier, ...Signed }), Done),
  /** Without `undone`: whatever activity has that id. */
  receiveUndo: call(85, z.object({ ...Signed, undone: Undone.optional() }), Done),
  /** The account at `uri`, to which it has moved by its profile, was found to name it as a former one. */
  showMove: call(87, z.object({ targetId: identifier, uri: z.string() }), Done),
  /** Its server had a day to accept a follow. */
  followAnswerDue: cast(88, z.object({ requesterId: identifier, followId: identifier })),
  /** Its server was built anew: the next slice of follows by local accounts is sent to it again. */
  followAgain: call(
    89,
    z.object({ afterFollowerId: identifier.optional(), afterRequesterId: identifier.optional() }),
    Done,
  ),
  /** A status that is stored came to one more local account, which it does not name. Nothing happens if it is unknown. */
  receiveAddressee: call(192, z.object({ uri: z.string(), addresseeId: identifier, isNotified: z.boolean() }), Done),
  /** Whether its server keeps back whom it follows and who follows it (specification 4.2). */
  receiveHiding: call(193, z.object({ hideCollections: z.boolean() }), Done),
  /**
   * Its server disagrees about who of this server follows it: asks for them at `url`, unless that was done within this
   * age.
   */
  refreshFollowers: call(570, z.object({ url: z.string(), ageMilliseconds: z.number() }), Done),
  /** The local accounts that follow it according to its server, in the order of their ids. */
  receiveFollowers: call(
    571,
    z.object({ followerIds: z.array(identifier), afterFollowerId: identifier.optional() }),
    Done,
  ),
  /** Removes those that nobody here uses: published before a time, newest first. The reply counts them. */
  forgetStatuses: call(
    655,
    z.object({ statusIds: z.array(identifier), before: z.number() }),
    z.object({ forgotten: z.number() }),
  ),
};
