/** Activities about statuses: publishing, editing, deleting, boosting, liking, voting and pinning. */
import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { releasedFormOf } from '../../actors/policy/held-replies.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import { announceActivity, createActivity, undoActivity } from './activities.ts';
import { audienceOf } from './audience.ts';
import { contextOfNote, plainContext } from './contexts.ts';
import { accountAddress, noteDocument } from './note-document.ts';
import type { IntentOf, Renderings, Translating } from './translating.ts';
import { publicAudience } from './vocabulary.ts';

export const statusActivities: Renderings<
  'create' | 'update' | 'delete' | 'announce' | 'undoAnnounce' | 'like' | 'undoLike' | 'vote' | 'pin' | 'unpin'
> = {
  create: publication,
  update: edit,
  delete: deletion,
  announce,
  undoAnnounce: (intent, translating) =>
    undoActivity(intent.activityId, announcement(intent, translating), translating),
  like,
  undoLike: (intent, translating) => undoActivity(intent.activityId, like(intent, translating), translating),
  vote: ballot,
  pin: (intent, translating) => featuring('Add', intent, translating),
  unpin: (intent, translating) => featuring('Remove', intent, translating),
};

function publication(
  { statusId }: IntentOf<'create'>,
  { reader, addresses, username }: Translating,
): JsonObject | undefined {
  const status = findStatusRecord(reader, statusId);
  if (status === undefined) return undefined;
  // Whoever is asked for consent in this way sees it as it will be.
  return { '@context': contextOfNote(status), ...createActivity(reader, addresses, releasedFormOf(status), username) };
}

function edit(
  { activityId, statusId }: IntentOf<'update'>,
  { reader, addresses, username, actor }: Translating,
): JsonObject | undefined {
  const status = findStatusRecord(reader, statusId);
  if (status === undefined) return undefined;
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

function announce(intent: IntentOf<'announce'>, translating: Translating): JsonObject | undefined {
  const reblog = findStatusRecord(translating.reader, intent.reblogId);
  return reblog === undefined ? undefined : announcement(intent, translating);
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
