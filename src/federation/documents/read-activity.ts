/**
 * Translates remote activities into acts. The signer is not known here: an act is what the activity claims, and
 * activities/authority.ts decides whether the actor may claim it.
 */

import { pollLimits } from '../../actors/account/polls/limits.ts';
import { reportLimits } from '../../actors/account/reports/limits.ts';
import type { Tag } from '../../actors/account/statuses/statuses.records.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../fetcher/json.ts';
import { activityLimits } from '../limits.ts';
import { isFeatureRequestAddress, isQuoteRequestAddress } from '../local-addresses.ts';
import type { Audience } from './audience.ts';
import { readHashtag } from './featured-tags.ts';
import { type RemoteActor, readActor } from './read-actor.ts';
import { type RemoteCollection, type RemoteItem, readCollection, readItem } from './read-collection.ts';
import { type RemoteNote, readAudience, readNote } from './read-note.ts';
import { addressOf, cutTextOf, referenceOf, timeOf, typeOf, valuesOf } from './values.ts';
import { actorTypes, isStatusType } from './vocabulary.ts';

/** A Follow that an Accept, a Reject or an Undo refers to: by its id, by its actor and object, or by all three. */
export interface FollowReference {
  readonly uri: string | undefined;
  readonly follower: string | undefined;
  readonly followed: string | undefined;
}

/** One act of an actor. */
export type Act =
  | { readonly kind: 'publish'; readonly note: RemoteNote }
  | { readonly kind: 'edit'; readonly note: RemoteNote }
  /** The object was given by its address only. */
  | { readonly kind: 'publishNamed' | 'editNamed'; readonly uri: string }
  /** Somebody else reports that a status was edited: its own server decides. */
  | { readonly kind: 'refresh'; readonly uri: string }
  /** A vote in a poll, for one option by name; `uri` is the id of the vote. */
  | { readonly kind: 'vote'; readonly uri: string; readonly poll: string; readonly option: string }
  | { readonly kind: 'changeProfile'; readonly actor: RemoteActor }
  /** Of a status, or of the actor itself. */
  | { readonly kind: 'delete'; readonly uri: string }
  | { readonly kind: 'follow'; readonly followed: string }
  | { readonly kind: 'accept' | 'reject'; readonly follow: FollowReference }
  /** To quote `quoted` in the status at `quoteUri`, which may be embedded. */
  | {
      readonly kind: 'requestQuote';
      readonly quoted: string;
      readonly quoteUri: string;
      readonly note: RemoteNote | undefined;
    }
  | {
      readonly kind: 'acceptQuote' | 'rejectQuote';
      readonly requestUri: string | undefined;
      readonly quoteUri: string | undefined;
      readonly authorization: string | undefined;
    }
  /** To add `featured` to the collection at `collectionUri`, which may be embedded (FEP-7aa9). */
  | {
      readonly kind: 'requestFeature';
      readonly featured: string;
      readonly collectionUri: string;
      readonly collection: RemoteCollection | undefined;
    }
  | {
      readonly kind: 'acceptFeature' | 'rejectFeature';
      readonly requestUri: string | undefined;
      readonly authorization: string | undefined;
    }
  /** New where it was added to `target`, otherwise changed. */
  | { readonly kind: 'shareCollection'; readonly collection: RemoteCollection; readonly target: string | undefined }
  | { readonly kind: 'addCollectionItem'; readonly item: RemoteItem; readonly target: string }
  | { readonly kind: 'like'; readonly uri: string }
  | {
      readonly kind: 'boost';
      readonly uri: string;
      readonly publishedAt: number | undefined;
      readonly audience: Audience;
    }
  | { readonly kind: 'block'; readonly blocked: string }
  /** A status was added to, or removed from, a collection of the actor. */
  | { readonly kind: 'pin' | 'unpin'; readonly uri: string; readonly collection: string }
  /** The same for a hashtag, which has no address of its own. */
  | { readonly kind: 'featureTag' | 'unfeatureTag'; readonly tag: Tag; readonly collection: string }
  | { readonly kind: 'undoFollow'; readonly follow: FollowReference }
  /** `uri`: the id of the undone activity, where it has one. */
  | { readonly kind: 'undoLike' | 'undoBoost' | 'undoBlock'; readonly object: string; readonly uri: string | undefined }
  /** About accounts and statuses: a report names them all together. */
  | { readonly kind: 'report'; readonly objects: readonly string[]; readonly comment: string }
  /** The actor moves to another account. */
  | { readonly kind: 'move'; readonly target: string }
  /** The undone activity was given by its address only. */
  | { readonly kind: 'undoNamed'; readonly uri: string };

export interface Activity {
  /** Absent where the sender gave none. */
  readonly id: string | undefined;
  readonly actor: string;
  readonly acts: readonly Act[];
}

export type Reading = Activity | { readonly ignored: string } | { readonly malformed: string };

/** Known types that are deliberately ignored. */
const ignoredTypes: ReadonlySet<string> = new Set([
  ...['Dislike', 'EmojiReact', 'Read', 'View', 'Listen', 'Arrive', 'Join', 'Leave'],
  ...['Offer', 'Invite', 'TentativeAccept', 'TentativeReject', 'Ignore', 'Lock', 'Question'],
  ...['LikeRequest', 'ReplyRequest', 'AnnounceRequest'],
]);

type ReadObject = (value: JsonValue, activity: JsonObject, actor: string) => Act | undefined;

const readers: Readonly<Record<string, ReadObject | undefined>> = {
  Create: readCreate,
  Update: readUpdate,
  Delete: (value) => naming(value, (uri) => ({ kind: 'delete', uri })),
  Follow: (value) => naming(value, (followed) => ({ kind: 'follow', followed })),
  Accept: (value, activity, actor) => readAnswer('accept', value, activity, actor),
  Reject: (value, activity, actor) => readAnswer('reject', value, activity, actor),
  QuoteRequest: readQuoteRequest,
  FeatureRequest: readFeatureRequest,
  Like: (value) => naming(value, (uri) => ({ kind: 'like', uri })),
  Announce: readAnnounce,
  Block: (value) => naming(value, (blocked) => ({ kind: 'block', blocked })),
  Undo: readUndo,
  Move: readMove,
  Add: (value, activity) => readCollected('pin', value, activity),
  Remove: (value, activity) => readCollected('unpin', value, activity),
};

/**
 * Reads an activity; `ignored` and `malformed` carry the reason, for the log. `signerUri`: the key or the actor that
 * signed; a FeatureRequest of Mastodon names no other actor.
 */
export function readActivity(json: JsonObject, signerUri?: string): Reading {
  const type = typeOf(json);
  const actor = referenceOf(json.actor ?? (type === 'FeatureRequest' ? signerUri?.split('#')[0] : undefined));
  if (type === undefined || actor === undefined) return { malformed: 'an activity needs a type and an actor' };
  const id = addressOf(json.id);
  if (json.id !== undefined && json.id !== null && id === undefined) return { malformed: 'the id is no address' };
  if (type === 'Flag') return { id, actor, acts: [readReport(json)] };
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read === undefined) {
    return { ignored: ignoredTypes.has(type) ? `${type} has no effect here` : 'a type that is unknown here' };
  }
  const objects = valuesOf(json.object, activityLimits.objectsMax);
  if (objects.length === 0) return { malformed: 'an activity needs an object' };
  const acts: Act[] = [];
  for (const object of objects) {
    const act = read(object, json, actor);
    if (act !== undefined) acts.push(act);
  }
  return acts.length === 0 ? { ignored: `${type} of something that is not known here` } : { id, actor, acts };
}

/** The account, its statuses and its collections. */
const reportedMax = 1 + reportLimits.statusesMax + reportLimits.collectionsMax;

/** Their order, and whether they are embedded, differs from server to server. */
function readReport({ object, content }: JsonObject): Act {
  const objects = valuesOf(object, reportedMax).flatMap((value) => referenceOf(value) ?? []);
  return { kind: 'report', objects, comment: cleanText(cutTextOf(content, reportLimits.remoteCommentCharactersMax)) };
}

function naming(value: JsonValue, act: (uri: string) => Act): Act | undefined {
  const uri = referenceOf(value);
  return uri === undefined ? undefined : act(uri);
}

function readCreate(value: JsonValue, activity: JsonObject, actor: string): Act | undefined {
  if (!isJsonObject(value)) return naming(value, (uri) => ({ kind: 'publishNamed', uri }));
  const note = readNote(value, readAudience(activity));
  if (note === undefined) return undefined;
  return note.isVote ? readVote(value, note, actor) : { kind: 'publish', note };
}

/** An actor may only cast its own vote. */
function readVote(value: JsonObject, { uri, authors, inReplyTo: poll }: RemoteNote, actor: string): Act | undefined {
  if (poll === undefined || !authors.includes(actor)) return undefined;
  const option = cleanText(cutTextOf(value.name, pollLimits.remoteOptionCharactersMax));
  return { kind: 'vote', uri, poll, option };
}

function readUpdate(value: JsonValue, activity: JsonObject): Act | undefined {
  if (!isJsonObject(value)) return naming(value, (uri) => ({ kind: 'editNamed', uri }));
  const type = typeOf(value);
  if (type !== undefined && actorTypes.has(type)) {
    const actor = readActor(value);
    return actor === undefined
      ? naming(value, (uri) => ({ kind: 'editNamed', uri }))
      : { kind: 'changeProfile', actor };
  }
  const collection = readCollection(value);
  if (collection !== undefined) return { kind: 'shareCollection', collection, target: undefined };
  const note = readNote(value, readAudience(activity));
  return note === undefined ? undefined : { kind: 'edit', note };
}

/**
 * A boost names a status. Groups (FEP-1b12) also announce activities of others: of those only a new status that is not
 * a reply counts as a boost, by the id of that status; an edit is fetched from the server of the status; anything else
 * is outside the group's authority.
 */
function readAnnounce(value: JsonValue, activity: JsonObject): Act | undefined {
  if (isJsonObject(value) && typeOf(value) === 'Update')
    return naming(value.object ?? null, (edited) => ({ kind: 'refresh', uri: edited }));
  const uri = announcedStatus(value);
  if (uri === undefined) return undefined;
  return { kind: 'boost', uri, publishedAt: timeOf(activity.published), audience: readAudience(activity) };
}

function announcedStatus(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return referenceOf(value);
  const type = typeOf(value);
  if (type === undefined || isStatusType(type)) return referenceOf(value);
  if (type !== 'Create') return undefined;
  const { object } = value;
  if (!isJsonObject(object)) return referenceOf(object);
  return isStatusType(typeOf(object)) && referenceOf(object.inReplyTo) === undefined ? referenceOf(object) : undefined;
}

/** Hashtags are featured in the same collection as statuses; collections of accounts, and their items, in others. */
function readCollected(kind: 'pin' | 'unpin', value: JsonValue, activity: JsonObject): Act | undefined {
  const collection = referenceOf(activity.target);
  if (collection === undefined) return undefined;
  if (isJsonObject(value) && typeOf(value) === 'Hashtag') {
    const tag = readHashtag(value);
    return tag && { kind: kind === 'pin' ? 'featureTag' : 'unfeatureTag', tag, collection };
  }
  if (kind === 'pin' && isJsonObject(value)) {
    const shared = readCollection(value);
    if (shared !== undefined) return { kind: 'shareCollection', collection: shared, target: collection };
    const item = readItem(value);
    if (item !== undefined) return { kind: 'addCollectionItem', item, target: collection };
  }
  return naming(value, (uri) => ({ kind, uri, collection }));
}

/** An actor may only move itself. */
function readMove(value: JsonValue, activity: JsonObject, actor: string): Act | undefined {
  const target = referenceOf(activity.target);
  if (target === undefined || target === actor || referenceOf(value) !== actor) return undefined;
  return { kind: 'move', target };
}

/** The instrument is the quoting status: embedded, or by its address. */
function readQuoteRequest(value: JsonValue, activity: JsonObject): Act | undefined {
  const { instrument } = activity;
  const quoteUri = referenceOf(instrument);
  if (quoteUri === undefined) return undefined;
  const note = isJsonObject(instrument) && isStatusType(typeOf(instrument)) ? readNote(instrument) : undefined;
  return naming(value, (quoted) => ({ kind: 'requestQuote', quoted, quoteUri, note }));
}

/** The instrument is the collection: embedded, or by its address. */
function readFeatureRequest(value: JsonValue, activity: JsonObject): Act | undefined {
  const { instrument } = activity;
  const collectionUri = referenceOf(instrument);
  if (collectionUri === undefined) return undefined;
  const collection = isJsonObject(instrument) ? readCollection(instrument) : undefined;
  return naming(value, (featured) => ({ kind: 'requestFeature', featured, collectionUri, collection }));
}

/**
 * Answers to a Follow, a QuoteRequest or a FeatureRequest; any may be a bare id, and only the last two have a result.
 */
function readAnswer(kind: 'accept' | 'reject', value: JsonValue, activity: JsonObject, actor: string): Act | undefined {
  const authorization = referenceOf(activity.result);
  const isQuote = isJsonObject(value) ? typeOf(value) === 'QuoteRequest' : isQuoteRequestAddress(referenceOf(value));
  if (isQuote)
    return {
      kind: kind === 'accept' ? 'acceptQuote' : 'rejectQuote',
      requestUri: referenceOf(value),
      quoteUri: isJsonObject(value) ? referenceOf(value.instrument) : undefined,
      authorization,
    };
  const isFeature = isJsonObject(value)
    ? typeOf(value) === 'FeatureRequest'
    : isFeatureRequestAddress(referenceOf(value));
  if (isFeature)
    return {
      kind: kind === 'accept' ? 'acceptFeature' : 'rejectFeature',
      requestUri: referenceOf(value),
      authorization,
    };
  if (!isJsonObject(value)) {
    const uri = referenceOf(value);
    return uri === undefined ? undefined : { kind, follow: { uri, follower: undefined, followed: actor } };
  }
  return typeOf(value) === 'Follow' || typeOf(value) === undefined ? { kind, follow: readFollow(value) } : undefined;
}

function readFollow(object: JsonObject): FollowReference {
  return {
    uri: addressOf(object.id),
    follower: referenceOf(object.actor),
    followed: referenceOf(object.object),
  };
}

const undoKinds: ReadonlyMap<string, 'undoLike' | 'undoBoost' | 'undoBlock'> = new Map([
  ['Like', 'undoLike'],
  ['Announce', 'undoBoost'],
  ['Block', 'undoBlock'],
]);

function readUndo(value: JsonValue, _activity: JsonObject, actor: string): Act | undefined {
  if (!isJsonObject(value)) return naming(value, (uri) => ({ kind: 'undoNamed', uri }));
  const undoer = referenceOf(value.actor);
  if (undoer !== undefined && undoer !== actor) return undefined;
  const uri = addressOf(value.id);
  const type = typeOf(value);
  if (type === 'Follow') return { kind: 'undoFollow', follow: readFollow(value) };
  const kind = type === undefined ? undefined : undoKinds.get(type);
  const object = referenceOf(value.object);
  if (kind !== undefined && object !== undefined) return { kind, object, uri };
  return (kind !== undefined || type === undefined) && uri !== undefined ? { kind: 'undoNamed', uri } : undefined;
}
