/**
 * Renders intents as activities for other servers (specification 6.2). Pure: the same snapshots give the same activity.
 * Ids of activities are never reused, and an Undo, Accept or Reject contains its object with the original id.
 */

import { findCollection } from '../../actors/account/collections/collections.queries.ts';
import { findKeyPair, findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { findReport } from '../../actors/account/reports/reports.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { type Intent, serverActorId } from '../../actors/intents.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { JsonObject } from '../fetcher/json.ts';
import { announceActivity, createActivity } from './activities.ts';
import { actorDocument } from './actor-document.ts';
import { audienceOf } from './audience.ts';
import {
  collectionAdded,
  collectionRemoved,
  collectionUpdated,
  featureAnswer,
  featureRequest,
  featureRevocation,
  itemAdded,
  itemRemoved,
} from './collection-activities.ts';
import { addressOfCollection } from './collection-documents.ts';
import { actorContext, contextOfNote, hashtagContext, plainContext } from './contexts.ts';
import { hashtagDocument } from './featured-tags.ts';
import { accountAddress, noteDocument } from './note-document.ts';
import { quoteAnswer, quoteRequest, quoteRevocation } from './quote-activities.ts';
import { statusAddress } from './quote-documents.ts';
import type { IntentOf, Translating } from './translating.ts';
import { publicAudience } from './vocabulary.ts';

export interface Translation {
  readonly signerId: Id;
  readonly signerUsername: string;
  /** With `@context`; undefined when its object was deleted, so that there is nothing to send. */
  readonly activity: JsonObject | undefined;
}

/**
 * Undefined when the acting account is unknown here. Throws an Error for `updateAccount` of an account without keys:
 * the signer has to generate them first.
 */
export function translateIntent(intent: Intent, reader: Reader, addresses: Addresses): Translation | undefined {
  if (intent.actorId === serverActorId) {
    const signerUsername = addresses.domain;
    const translating = { reader, addresses, username: signerUsername, actor: addresses.instanceActor };
    return { signerId: serverActorId, signerUsername, activity: activityOf(intent, translating) };
  }
  const profile = findProfile(reader, intent.actorId);
  if (profile === undefined || profile.remote !== undefined) return undefined;
  const { username } = profile;
  const translating = { reader, addresses, username, actor: addresses.actor(username) };
  return { signerId: intent.actorId, signerUsername: username, activity: activityOf(intent, translating) };
}

function activityOf(intent: Intent, translating: Translating): JsonObject | undefined {
  const { addresses } = translating;
  switch (intent.kind) {
    case 'create':
      return withStatus(intent.statusId, translating, ({ reader, username }, status) => ({
        '@context': contextOfNote(status),
        ...createActivity(reader, addresses, status, username),
      }));
    case 'update':
      return withStatus(intent.statusId, translating, (_, status) => editActivity(intent, status, translating));
    case 'delete':
      return deletion(intent, translating);
    case 'announce':
      return withStatus(intent.reblogId, translating, () => announcement(intent, translating));
    case 'undoAnnounce':
      return undo(intent.activityId, announcement(intent, translating), translating);
    case 'like':
      return like(intent, translating);
    case 'undoLike':
      return undo(intent.activityId, like(intent, translating), translating);
    case 'follow':
      return towards('Follow', intent.followId, intent.targetId, translating);
    case 'undoFollow':
      return undo(intent.activityId, towards('Follow', intent.followId, intent.targetId, translating), translating);
    case 'acceptFollow':
      return answer('Accept', intent, translating);
    case 'rejectFollow':
      return answer('Reject', intent, translating);
    case 'block':
      return towards('Block', intent.blockId, intent.targetId, translating);
    case 'undoBlock':
      return undo(intent.activityId, towards('Block', intent.blockId, intent.targetId, translating), translating);
    case 'featureTag':
      return featuringTag('Add', intent, translating);
    case 'unfeatureTag':
      return featuringTag('Remove', intent, translating);
    case 'flag':
      return report(intent, translating);
    case 'vote':
      return ballot(intent, translating);
    case 'updateAccount':
      return profileChange(intent, translating);
    case 'move':
      return removal(intent, translating);
    case 'pin':
      return featuring('Add', intent, translating);
    case 'unpin':
      return featuring('Remove', intent, translating);
    case 'quoteRequest':
      return withStatus(intent.statusId, translating, (_, status) => quoteRequest(intent, status, translating));
    case 'acceptQuote':
      return quoteAnswer('Accept', intent, translating);
    case 'rejectQuote':
      return quoteAnswer('Reject', intent, translating);
    case 'revokeQuote':
      return quoteRevocation(intent, translating);
    case 'featureRequest':
      return featureRequest(intent, translating);
    case 'acceptFeature':
      return featureAnswer('Accept', intent, translating);
    case 'rejectFeature':
      return featureAnswer('Reject', intent, translating);
    case 'revokeFeaturing':
      return featureRevocation(intent, translating);
    case 'addCollection':
      return collectionAdded(intent, translating);
    case 'updateCollection':
      return collectionUpdated(intent, translating);
    case 'removeCollection':
      return collectionRemoved(intent, translating);
    case 'addCollectionItem':
      return itemAdded(intent, translating);
    case 'removeCollectionItem':
      return itemRemoved(intent, translating);
    default:
      return intent satisfies never;
  }
}

function withStatus(
  statusId: Id,
  translating: Translating,
  translate: (translating: Translating, status: Status) => JsonObject | undefined,
): JsonObject | undefined {
  const status = findStatusRecord(translating.reader, statusId);
  return status === undefined ? undefined : translate(translating, status);
}

function editActivity(
  { activityId }: IntentOf<'update'>,
  status: Status,
  { reader, addresses, username, actor }: Translating,
): JsonObject {
  const object = noteDocument(reader, addresses, status, username);
  return {
    '@context': contextOfNote(status),
    id: addresses.activity(activityId),
    type: 'Update',
    actor,
    published: object.updated ?? object.published,
    to: object.to,
    cc: object.cc,
    object,
  };
}

/** The status is gone, so a deletion contains only its id and its audience. */
function deletion({ activityId, statusId, visibility }: IntentOf<'delete'>, translating: Translating): JsonObject {
  const { addresses, username, actor } = translating;
  const { to } = audienceOf(visibility, addresses.followers(username), []);
  return {
    '@context': plainContext,
    id: addresses.activity(activityId),
    type: 'Delete',
    actor,
    to,
    object: { id: addresses.status(username, statusId), type: 'Tombstone' },
  };
}

/** Undefined when the author was deleted, and with it the address of the original. */
function announcement(
  intent: IntentOf<'announce' | 'undoAnnounce'>,
  { reader, addresses, username, actor }: Translating,
): JsonObject | undefined {
  const { statusId, statusUri, reblogId, authorId, visibility } = intent;
  const author = accountAddress(reader, addresses, authorId);
  const address = statusUri ?? localStatusAddress(reader, addresses, authorId, statusId);
  if (author === undefined || address === undefined) return undefined;
  // An own followers-only status is embedded: another server could not fetch it.
  const original = visibility === 'private' && author === actor ? findStatusRecord(reader, statusId) : undefined;
  const object = original === undefined ? address : noteDocument(reader, addresses, original, username);
  return {
    '@context': original === undefined ? plainContext : contextOfNote(original),
    ...announceActivity(addresses, username, { reblogId, visibility, object, author }),
  };
}

function like(
  { favouriteId, statusId, statusUri, authorId }: IntentOf<'like' | 'undoLike'>,
  { reader, addresses, actor }: Translating,
): JsonObject | undefined {
  const object = statusUri ?? localStatusAddress(reader, addresses, authorId, statusId);
  if (object === undefined) return undefined;
  return { '@context': plainContext, id: addresses.activity(favouriteId), type: 'Like', actor, object };
}

function localStatusAddress(reader: Reader, addresses: Addresses, authorId: Id, statusId: Id): string | undefined {
  const author = findProfile(reader, authorId);
  return author === undefined || author.remote !== undefined ? undefined : addresses.status(author.username, statusId);
}

function towards(
  type: 'Follow' | 'Block',
  id: Id,
  targetId: Id,
  { reader, addresses, actor }: Translating,
): JsonObject | undefined {
  const object = accountAddress(reader, addresses, targetId);
  if (object === undefined) return undefined;
  return { '@context': plainContext, id: addresses.activity(id), type, actor, object };
}

function answer(
  type: 'Accept' | 'Reject',
  { activityId, targetId, followUri }: IntentOf<'acceptFollow' | 'rejectFollow'>,
  { reader, addresses, actor }: Translating,
): JsonObject | undefined {
  const follower = accountAddress(reader, addresses, targetId);
  if (follower === undefined) return undefined;
  const follow = { type: 'Follow', actor: follower, object: actor };
  return {
    '@context': plainContext,
    id: addresses.activity(activityId),
    type,
    actor,
    object: followUri === undefined ? follow : { id: followUri, ...follow },
  };
}

function undo(activityId: Id, original: JsonObject | undefined, translating: Translating): JsonObject | undefined {
  if (original === undefined) return undefined;
  const { '@context': context, ...object } = original;
  const { addresses, actor } = translating;
  return {
    '@context': context ?? plainContext,
    id: addresses.activity(activityId),
    type: 'Undo',
    actor,
    ...(object.to === undefined ? {} : { to: object.to, cc: object.cc }),
    object,
  };
}

/** Names the account first, as Mastodon does; it has no audience. What is gone is left out. */
function report(
  { activityId, targetId, reportId }: IntentOf<'flag'>,
  translating: Translating,
): JsonObject | undefined {
  const { reader, addresses, actor } = translating;
  const target = accountAddress(reader, addresses, targetId);
  const kept = findReport(reader, reportId);
  if (target === undefined || kept === undefined) return undefined;
  const statuses = kept.statusIds.flatMap((statusId) => statusAddress(reader, addresses, statusId) ?? []);
  const collections = (kept.collectionIds ?? []).flatMap((collectionId) => {
    const collection = findCollection(reader, collectionId);
    return (collection && addressOfCollection(reader, addresses, collection)) ?? [];
  });
  return {
    '@context': plainContext,
    id: addresses.activity(activityId),
    type: 'Flag',
    actor,
    content: kept.comment,
    object: [target, ...statuses, ...collections],
  };
}

/** A Note without content whose name is the option. Undefined when the author of the poll was deleted. */
function ballot(
  { activityId, statusUri, authorId, option }: IntentOf<'vote'>,
  { reader, addresses, actor }: Translating,
): JsonObject | undefined {
  const author = accountAddress(reader, addresses, authorId);
  if (author === undefined || statusUri === undefined) return undefined;
  const id = addresses.activity(activityId);
  return {
    '@context': plainContext,
    id,
    type: 'Create',
    actor,
    to: [author],
    object: {
      id: `${id}#vote`,
      type: 'Note',
      name: option,
      attributedTo: actor,
      to: [author],
      inReplyTo: statusUri,
    },
  };
}

/** Pinned statuses are in the account's featured collection. */
function featuring(
  type: 'Add' | 'Remove',
  { activityId, statusId }: IntentOf<'pin' | 'unpin'>,
  { addresses, username, actor }: Translating,
): JsonObject {
  return {
    '@context': plainContext,
    id: addresses.activity(activityId),
    type,
    actor,
    to: [publicAudience],
    cc: [addresses.followers(username)],
    object: addresses.status(username, statusId),
    target: addresses.featured(username),
  };
}

/** For Mastodon; the specification names the account's Update, which is sent too. */
function featuringTag(
  type: 'Add' | 'Remove',
  { activityId, tag }: IntentOf<'featureTag' | 'unfeatureTag'>,
  { addresses, username, actor }: Translating,
): JsonObject {
  return {
    '@context': hashtagContext,
    id: addresses.activity(activityId),
    type,
    actor,
    to: [publicAudience],
    cc: [addresses.followers(username)],
    object: hashtagDocument(addresses, username, tag),
    target: addresses.featured(username),
  };
}

function profileChange({ actorId, activityId }: IntentOf<'updateAccount'>, translating: Translating): JsonObject {
  const { reader, addresses, actor } = translating;
  const profile = findProfile(reader, actorId)!;
  const keys = findKeyPair(reader, actorId);
  if (keys === undefined) throw new Error(`${actor} has no keys yet`);
  return {
    '@context': actorContext,
    id: addresses.activity(activityId),
    type: 'Update',
    actor,
    to: [publicAudience],
    object: actorDocument(reader, addresses, profile, keys.publicKeyPem),
  };
}

/** To the followers, who may follow the new account. Undefined when the target was deleted. */
function removal({ activityId, targetId }: IntentOf<'move'>, translating: Translating): JsonObject | undefined {
  const { reader, addresses, actor, username } = translating;
  const target = accountAddress(reader, addresses, targetId);
  if (target === undefined) return undefined;
  return {
    '@context': plainContext,
    id: addresses.activity(activityId),
    type: 'Move',
    actor,
    to: [addresses.followers(username)],
    object: actor,
    target,
  };
}
