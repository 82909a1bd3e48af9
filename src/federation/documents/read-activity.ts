/**
 * Translates remote activities into acts. The signer is not known here: an act is what the activity claims, and
 * activities/authority.ts decides whether the actor may claim it.
 */

import { pollLimits } from '../../actors/account/polls/limits.ts';
import { reportLimits } from '../../actors/account/reports/limits.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { activityLimits } from '../limits.ts';
import type { Act, Activity } from './acts.ts';
import { readHashtag } from './featured-tags.ts';
import { readActor } from './read-actor.ts';
import { readAnswer, readFeatureRequest, readQuoteRequest, readUndo } from './read-answers.ts';
import { readCollection, readItem } from './read-collection.ts';
import { type RemoteNote, readAudience, readNote } from './read-note.ts';
import { readReplyRequest } from './read-reply-consent.ts';
import { addressOf, cutTextOf, naming, referenceOf, timeOf, typeOf, valuesOf } from './values.ts';
import { actorTypes, isPublicAudience, isStatusType, publicAudience } from './vocabulary.ts';

export type Reading = Activity | { readonly ignored: string } | { readonly malformed: string };

/** Known types that are deliberately ignored. */
const ignoredTypes: ReadonlySet<string> = new Set([
  ...['Dislike', 'Read', 'View', 'Listen', 'Arrive', 'Join', 'Leave'],
  ...['Offer', 'Invite', 'TentativeAccept', 'TentativeReject', 'Ignore', 'Lock', 'Question'],
  ...['LikeRequest', 'AnnounceRequest'],
]);

type ReadObject = (value: JsonValue, activity: JsonObject, actor: string) => Act | undefined;

const readers: Readonly<Record<string, ReadObject | undefined>> = {
  Create: readCreate,
  Update: readUpdate,
  Delete: (value) => naming(value, (uri) => ({ kind: 'delete', uri })),
  Follow: readFollow,
  Accept: (value, activity, actor) => readAnswer('accept', value, activity, actor),
  Reject: (value, activity, actor) => readAnswer('reject', value, activity, actor),
  QuoteRequest: readQuoteRequest,
  FeatureRequest: readFeatureRequest,
  ReplyRequest: readReplyRequest,
  Like: readLike,
  // LitePub's reaction with an emoji, which Misskey sends as a Like with one.
  EmojiReact: readLike,
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
  const audience = readAudience(json);
  if (type === 'Flag') return { id, actor, audience, acts: [readReport(json)] };
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
  return acts.length === 0 ? { ignored: `${type} of something that is not known here` } : { id, actor, audience, acts };
}

/** Who follows all that is public asks a relay for it. */
function readFollow(value: JsonValue): Act | undefined {
  if (typeof value === 'string' && isPublicAudience(value)) return { kind: 'follow', followed: publicAudience };
  return naming(value, (followed) => ({ kind: 'follow', followed }));
}

function readLike(value: JsonValue): Act | undefined {
  return naming(value, (uri) => ({ kind: 'like', uri }));
}

/** The account, its statuses and its collections. */
const reportedMax = 1 + reportLimits.statusesMax + reportLimits.collectionsMax;

/** Their order, and whether they are embedded, differs from server to server. Lemmy gives the reason as `summary`. */
function readReport({ object, content, summary }: JsonObject): Act {
  const objects = valuesOf(object, reportedMax).flatMap((value) => referenceOf(value) ?? []);
  const comment = cutTextOf(content ?? summary, reportLimits.remoteCommentCharactersMax);
  return { kind: 'report', objects, comment: cleanText(comment) };
}

function readCreate(value: JsonValue, activity: JsonObject, actor: string): Act | undefined {
  if (!isJsonObject(value))
    return naming(value, (uri) => ({ kind: 'publishNamed', uri, audience: readAudience(activity) }));
  const note = readNote(value, readAudience(activity));
  if (note === undefined) return undefined;
  return readVote(value, note, actor) ?? (note.isVote ? undefined : { kind: 'publish', note });
}

/** An actor may only cast its own vote. */
function readVote(value: JsonObject, note: RemoteNote, actor: string): Act | undefined {
  const { uri, authors, inReplyTo: poll } = note;
  if (typeOf(value) !== 'Note' || typeof value.name !== 'string') return undefined;
  if (poll === undefined || !authors.includes(actor)) return undefined;
  const option = cleanText(cutTextOf(value.name, pollLimits.remoteOptionCharactersMax));
  return { kind: 'vote', uri, poll, option, answer: note.isVote ? undefined : note };
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
 * A boost names a status. Groups (FEP-1b12) also announce activities of others. Of those, only a new status that is not
 * a reply counts as a boost, by the id of that status; an edited status is fetched from its own server; any other
 * activity is outside of the group's authority and ignored.
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
