/**
 * Intents: what to tell other servers, in domain terms. An actor appends an intent once per destination partition;
 * network threads render it as an activity (federation/documents) and deliver it through the lanes.
 */
import { z } from 'zod';
import { identifier, Visibility } from './account/account.records.ts';

/** The server's own actor, which is not an account, as the acting one. */
export const serverActorId = 0n;
/** The actor of the relay, which is not an account either. */
export const relayActorId = 1n;

const actor = { actorId: identifier, /** Unique for ever: part of the activity's id. */ activityId: identifier };
/** A status with its ActivityPub id, kept in the intent because the record may be deleted when it is sent. */
const object = { statusId: identifier, statusUri: z.string().optional() };
const Hashtag = z.object({ name: z.string(), display: z.string() });
const target = { targetId: identifier };
/** The quoted status, the quoting one, and the request; an unknown quoting status has only its address. */
const quoteAnswer = {
  statusId: identifier,
  quoteId: identifier.optional(),
  quoteUri: z.string(),
  requestUri: z.string().optional(),
};

/** The status, the reply, and the request; `isRequest`: there was one, perhaps without an id. */
const replyAnswer = {
  statusId: identifier,
  replyId: identifier.optional(),
  replyUri: z.string(),
  isRequest: z.boolean().optional(),
  requestUri: z.string().optional(),
};

const collection = { collectionId: identifier };
const collectionItem = { ...collection, itemId: identifier };
/** A collection of another server, by its address, and the request. */
const featureAnswer = { ...collection, collectionUri: z.string(), requestUri: z.string().optional() };

export const Intent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('create'), ...actor, ...object }),
  z.object({ kind: z.literal('update'), ...actor, ...object }),
  z.object({ kind: z.literal('delete'), ...actor, ...object, visibility: Visibility }),
  z.object({
    kind: z.literal('announce'),
    ...actor,
    ...object,
    reblogId: identifier,
    authorId: identifier,
    visibility: Visibility,
  }),
  z.object({
    kind: z.literal('undoAnnounce'),
    ...actor,
    ...object,
    reblogId: identifier,
    authorId: identifier,
    visibility: Visibility,
  }),
  z.object({ kind: z.literal('like'), ...actor, ...object, favouriteId: identifier, authorId: identifier }),
  z.object({ kind: z.literal('undoLike'), ...actor, ...object, favouriteId: identifier, authorId: identifier }),
  z.object({ kind: z.literal('follow'), ...actor, ...target, followId: identifier }),
  z.object({ kind: z.literal('undoFollow'), ...actor, ...target, followId: identifier }),
  z.object({ kind: z.literal('acceptFollow'), ...actor, ...target, followUri: z.string().optional() }),
  z.object({ kind: z.literal('rejectFollow'), ...actor, ...target, followUri: z.string().optional() }),
  z.object({ kind: z.literal('block'), ...actor, ...target, blockId: identifier }),
  z.object({ kind: z.literal('undoBlock'), ...actor, ...target, blockId: identifier }),
  /** `tellsOfKey`: it brings a new key, which no later one can do, because that is signed with it. */
  z.object({ kind: z.literal('updateAccount'), ...actor, tellsOfKey: z.boolean().optional() }),
  /** The account is gone, with everything that it wrote. */
  z.object({ kind: z.literal('deleteAccount'), ...actor }),
  /** To the account that this one has moved to. */
  z.object({ kind: z.literal('move'), ...actor, ...target }),
  z.object({ kind: z.literal('pin'), ...actor, ...object }),
  z.object({ kind: z.literal('unpin'), ...actor, ...object }),
  /** A hashtag on the profile. */
  z.object({ kind: z.literal('featureTag'), ...actor, tag: Hashtag }),
  z.object({ kind: z.literal('unfeatureTag'), ...actor, tag: Hashtag }),
  /** A report about a remote account, and about statuses of it. */
  z.object({ kind: z.literal('flag'), ...actor, ...target, reportId: identifier }),
  /** One choice in a remote poll; other servers identify options by name. */
  z.object({ kind: z.literal('vote'), ...actor, ...object, authorId: identifier, option: z.string() }),
  /** Asks whether `statusId` may quote the remote status at `quotedUri`. */
  z.object({ kind: z.literal('quoteRequest'), ...actor, ...object, quotedUri: z.string() }),
  z.object({ kind: z.literal('acceptQuote'), ...actor, ...target, ...quoteAnswer }),
  z.object({ kind: z.literal('rejectQuote'), ...actor, ...target, ...quoteAnswer }),
  /** Withdraws the authorization of a status to quote one of the actor's. */
  z.object({ kind: z.literal('revokeQuote'), ...actor, statusId: identifier, quoteId: identifier }),
  /** Asks whether `statusId` may answer the remote status at `parentUri`. */
  z.object({ kind: z.literal('replyRequest'), ...actor, ...object, parentUri: z.string() }),
  z.object({ kind: z.literal('acceptReply'), ...actor, ...target, ...replyAnswer }),
  z.object({ kind: z.literal('rejectReply'), ...actor, ...target, ...replyAnswer }),
  /** Withdraws the authorization of a status to answer one of the actor's. */
  z.object({ kind: z.literal('revokeReply'), ...actor, statusId: identifier, replyId: identifier }),
  /** Asks whether a remote account may be added to a collection. */
  z.object({ kind: z.literal('featureRequest'), ...actor, ...target, ...collectionItem }),
  z.object({ kind: z.literal('acceptFeature'), ...actor, ...target, ...featureAnswer }),
  z.object({ kind: z.literal('rejectFeature'), ...actor, ...target, ...featureAnswer }),
  /** Withdraws the authorization for the actor to be in a collection. */
  z.object({ kind: z.literal('revokeFeaturing'), ...actor, ...collection }),
  z.object({ kind: z.literal('addCollection'), ...actor, ...collection }),
  z.object({ kind: z.literal('updateCollection'), ...actor, ...collection }),
  z.object({ kind: z.literal('removeCollection'), ...actor, ...collection }),
  z.object({ kind: z.literal('addCollectionItem'), ...actor, ...collectionItem }),
  z.object({ kind: z.literal('removeCollectionItem'), ...actor, ...collectionItem }),
  /** Answers the Follow (JSON, as received) of a server that subscribes to the relay; `follower` is its actor. */
  z.object({ kind: z.literal('acceptSubscription'), ...actor, follower: z.string(), follow: z.string() }),
  z.object({
    kind: z.literal('rejectSubscription'),
    ...actor,
    follower: z.string(),
    follow: z.string(),
    /** In plain words. */
    reason: z.string(),
  }),
  /** The relay follows the actor of a subscriber, or no longer does. */
  z.object({ kind: z.literal('followSubscriber'), ...actor, follower: z.string(), followId: identifier }),
  z.object({ kind: z.literal('unfollowSubscriber'), ...actor, follower: z.string(), followId: identifier }),
  /** The server joins a relay of others, by a Follow of the object that the relay expects, or leaves it. */
  z.object({ kind: z.literal('followRelay'), ...actor, followId: identifier, object: z.string() }),
  z.object({ kind: z.literal('unfollowRelay'), ...actor, followId: identifier, object: z.string() }),
  /** The relay has another key. */
  z.object({ kind: z.literal('updateRelay'), ...actor }),
]);
export type Intent = z.infer<typeof Intent>;

/**
 * A personal inbox, and the host[:port] of its delivery lane. `sharedInbox` reaches the others of its host that have the
 * same one as well.
 */
export const Destination = z.object({
  host: z.string(),
  inbox: z.string(),
  sharedInbox: z.string().optional(),
  /** The shared inbox is on another host than its actor. */
  isElsewhere: z.boolean().optional(),
});
export type Destination = z.infer<typeof Destination>;
