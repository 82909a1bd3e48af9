/** Activities that several documents and deliveries need. Create and Announce come without `@context`. */

import type { Visibility } from '../../actors/account/account.records.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { JsonObject, JsonValue } from '../../outbound/fetcher/json.ts';
import type { Id } from '../../runtime/ids.ts';
import { timeOfId } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import { audienceOf } from './audience.ts';
import { plainContext } from './contexts.ts';
import { noteDocument } from './note-document.ts';
import { secondsTime } from './times.ts';
import type { Translating } from './translating.ts';
import { publicAudience } from './vocabulary.ts';

/** The Create of a status. Its id derives from that of the status, so it is always the same. */
export function createActivity(
  reader: Reader,
  addresses: Addresses,
  status: Status,
  username: string,
  { isForArchive = false } = {},
): JsonObject {
  const note = noteDocument(reader, addresses, status, username);
  // Whoever imports an archive must not show more people what was for this server alone.
  const object = isForArchive && status.localOnly === true ? { ...note, localOnly: true } : note;
  return {
    id: addresses.statusActivity(username, status.id),
    type: 'Create',
    actor: addresses.actor(username),
    published: object.published,
    to: object.to,
    cc: object.cc,
    object,
  };
}

export interface AnnouncedStatus {
  readonly reblogId: Id;
  readonly visibility: Visibility;
  /** The address of the original, or the original itself where other servers could not fetch it. */
  readonly object: JsonValue;
  /** The URI of its author, who is addressed too. */
  readonly author: string;
}

/** The Announce of a reblog. Its id derives from that of the reblog. */
export function announceActivity(addresses: Addresses, username: string, announced: AnnouncedStatus): JsonObject {
  const { reblogId, visibility, object, author } = announced;
  const { to, cc } = audienceOf(visibility, addresses.followers(username), [author]);
  return {
    id: addresses.statusActivity(username, reblogId),
    type: 'Announce',
    actor: addresses.actor(username),
    published: secondsTime(timeOfId(reblogId)),
    to,
    cc,
    object,
  };
}

/** Contains the original with its id, and has its audience. Undefined where there is no original. */
export function undoActivity(
  activityId: Id,
  original: JsonObject | undefined,
  translating: Translating,
): JsonObject | undefined {
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

/**
 * The Delete of an object by its address, for everybody: of an authorization that the account gave, to quote (FEP-044f) or to
 * be in a collection (FEP-7aa9), or of the account itself.
 */
export function publicDelete(activityId: Id, object: string, { addresses, actor }: Translating): JsonObject {
  return {
    '@context': plainContext,
    id: addresses.activity(activityId),
    type: 'Delete',
    actor,
    to: [publicAudience],
    object,
  };
}
