/**
 * Intents: what other servers shall hear, in domain words. An actor appends an intent once per destination partition;
 * the network threads turn it into an activity (federation/documents) and send it through the lanes.
 */
import { z } from 'zod';
import { identifier, Visibility } from './account/account.records.ts';

/** The server's own actor, which is no account, where it is the one that acts. */
export const serverActorId = 0n;

const actor = { actorId: identifier, /** Unique for ever: part of the activity's id. */ activityId: identifier };
/** A status as the outside knows it, kept in the intent because the record may be gone when it is sent. */
const object = { statusId: identifier, statusUri: z.string().optional() };
const Hashtag = z.object({ name: z.string(), display: z.string() });
const target = { targetId: identifier };
/** Of the status that is quoted, the one that quotes it, and the request; a status that is not known here has its address alone. */
const quoteAnswer = {
  statusId: identifier,
  quoteId: identifier.optional(),
  quoteUri: z.string(),
  requestUri: z.string().optional(),
};

const collection = { collectionId: identifier };
const collectionItem = { ...collection, itemId: identifier };
/** Of the collection of another server, which is named by its address, and the request. */
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
  z.object({ kind: z.literal('updateAccount'), ...actor }),
  /** To the account that this one points to from now on. */
  z.object({ kind: z.literal('move'), ...actor, ...target }),
  z.object({ kind: z.literal('pin'), ...actor, ...object }),
  z.object({ kind: z.literal('unpin'), ...actor, ...object }),
  /** A hashtag on the profile. */
  z.object({ kind: z.literal('featureTag'), ...actor, tag: Hashtag }),
  z.object({ kind: z.literal('unfeatureTag'), ...actor, tag: Hashtag }),
  /** A report about an account of another server, and about statuses of it. */
  z.object({ kind: z.literal('flag'), ...actor, ...target, reportId: identifier }),
  /** One choice in a poll of another server, where options are known by their names. */
  z.object({ kind: z.literal('vote'), ...actor, ...object, authorId: identifier, option: z.string() }),
  /** `statusId` quotes the status of another server at `quotedUri`: may it? */
  z.object({ kind: z.literal('quoteRequest'), ...actor, ...object, quotedUri: z.string() }),
  z.object({ kind: z.literal('acceptQuote'), ...actor, ...target, ...quoteAnswer }),
  z.object({ kind: z.literal('rejectQuote'), ...actor, ...target, ...quoteAnswer }),
  /** The authorization is gone by which a status may quote that of the actor. */
  z.object({ kind: z.literal('revokeQuote'), ...actor, statusId: identifier, quoteId: identifier }),
  /** May the account of another server be put into a collection? */
  z.object({ kind: z.literal('featureRequest'), ...actor, ...target, ...collectionItem }),
  z.object({ kind: z.literal('acceptFeature'), ...actor, ...target, ...featureAnswer }),
  z.object({ kind: z.literal('rejectFeature'), ...actor, ...target, ...featureAnswer }),
  /** The authorization is gone by which the actor was in a collection. */
  z.object({ kind: z.literal('revokeFeaturing'), ...actor, ...collection }),
  z.object({ kind: z.literal('addCollection'), ...actor, ...collection }),
  z.object({ kind: z.literal('updateCollection'), ...actor, ...collection }),
  z.object({ kind: z.literal('removeCollection'), ...actor, ...collection }),
  z.object({ kind: z.literal('addCollectionItem'), ...actor, ...collectionItem }),
  z.object({ kind: z.literal('removeCollectionItem'), ...actor, ...collectionItem }),
]);
export type Intent = z.infer<typeof Intent>;

/**
 * One personal inbox and the host[:port] whose lane it belongs to. `sharedInbox` comes along where somebody has to
 * remember it, for fan-outs to followers.
 */
export const Destination = z.object({
  host: z.string(),
  inbox: z.string(),
  sharedInbox: z.string().optional(),
  /** The inbox that fan-outs use is on another host than its actor. */
  isElsewhere: z.boolean().optional(),
});
export type Destination = z.infer<typeof Destination>;
