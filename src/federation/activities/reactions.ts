/**
 * Boosts and likes of other servers' accounts, and their undoing. An Undo of what is not here yet is remembered, and
 * carried out all the same: the original may be on its way through this server.
 */
import { Account } from '../../actors/account/account.messages.ts';
import type { Visibility } from '../../actors/account/account.records.ts';
import { hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import { marksOf } from '../../actors/account/statuses/statuses.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost } from '../../services/services.ts';
import { visibilityOf } from '../documents/audience.ts';
import type { Act } from '../documents/read-activity.ts';
import { isFollowersOf, type KnownAccount } from '../known-accounts.ts';
import {
  type Carried,
  done,
  type Inbound,
  mayBeWaiting,
  type Outcome,
  type RemoteSource,
  type StatusPlace,
} from './inbound.ts';
import { findPlace, findRecord } from './places.ts';

type Boost = Extract<Act, { kind: 'boost' }>;

/** Kept where a local account follows the booster, or wrote what is boosted. `uri`: the id of the Announce. */
export function receiveBoost(
  inbound: Inbound,
  boost: Boost,
  uri: string | undefined,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Carried {
  if (uri === undefined || inbound.withdrawn.take(actor.uri, uri)) return 'dropped';
  const place = findPlace(inbound, boost.uri);
  if (place === undefined && inbound.addresses.isLocal(boost.uri)) return 'dropped';
  if (place?.isLocal !== true && !hasLocalFollowers(inbound.snapshots, actor.id)) return 'dropped';
  if (place !== undefined) return storeBoost(inbound, boost, uri, actor, place);
  return source === undefined ? 'incomplete' : fetchAndStoreBoost(inbound, boost, uri, actor, source);
}

async function fetchAndStoreBoost(
  inbound: Inbound,
  boost: Boost,
  uri: string,
  actor: KnownAccount,
  source: RemoteSource,
): Promise<Outcome> {
  const place = await source.status(boost.uri);
  // It may have been undone in the meantime.
  return place === undefined || inbound.withdrawn.take(actor.uri, uri)
    ? 'dropped'
    : storeBoost(inbound, boost, uri, actor, place);
}

/** Only what everybody may see can be boosted, and one's own followers-only posts. */
function storeBoost(
  { client, now }: Inbound,
  boost: Boost,
  uri: string,
  actor: KnownAccount,
  { statusId, authorId, visibility: original }: StatusPlace,
): Carried {
  const isOwnPrivate = original === 'private' && authorId === actor.id;
  if (original !== 'public' && original !== 'unlisted' && !isOwnPrivate) return 'dropped';
  const visibility = isOwnPrivate ? 'private' : boostVisibility(boost, actor);
  const publishedAt = boost.publishedAt ?? now();
  return done(
    client.call(
      Account.receiveReblog.to(actor.id, { statusId, authorId, uri, publishedAt, visibility }),
      flowOfHost(actor.host),
    ),
  );
}

/** A boost for nobody in particular is one for followers. */
function boostVisibility(boost: Boost, actor: KnownAccount): Visibility {
  const visibility = visibilityOf(boost.audience, (name) => isFollowersOf(actor, name));
  return visibility === 'direct' ? 'private' : visibility;
}

/** `uri`: the id of the Announce, where the Undo says it. */
export function undoBoost(
  inbound: Inbound,
  object: string,
  uri: string | undefined,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Carried {
  const place = findPlace(inbound, object);
  const isKnown = place !== undefined && marksOf(inbound.snapshots, actor.id, place.statusId).reblogged;
  if (!isKnown && mayBeWaiting(inbound, actor, source)) return 'incomplete';
  if (!isKnown && uri !== undefined) inbound.withdrawn.add(actor.uri, uri);
  return place === undefined ? 'dropped' : removeBoost(inbound, place.statusId, place.authorId, actor);
}

/** The boost whose Announce has this id; undefined when there is none. */
export function undoBoostNamed(inbound: Inbound, uri: string, actor: KnownAccount): Carried | undefined {
  const boost = findRecord(inbound, uri);
  if (boost?.reblogOfId === undefined || boost.accountId !== actor.id) return undefined;
  return removeBoost(inbound, boost.reblogOfId, boost.reblogOfAccountId!, actor);
}

function removeBoost({ client }: Inbound, statusId: Id, authorId: Id, actor: KnownAccount): Carried {
  return done(client.call(Account.receiveUndoReblog.to(actor.id, { statusId, authorId }), flowOfHost(actor.host)));
}

/** Likes of local statuses count; what others like of others is theirs. `uri`: the id of the Like. */
export function receiveLike(inbound: Inbound, object: string, uri: string | undefined, actor: KnownAccount): Carried {
  if (uri !== undefined && inbound.withdrawn.take(actor.uri, uri)) return 'dropped';
  const place = inbound.addresses.isLocal(object) ? findPlace(inbound, object) : undefined;
  if (place === undefined) return 'dropped';
  const { statusId, authorId } = place;
  return done(
    inbound.client.call(Account.favourite.to(authorId, { statusId, by: actor.id, uri }), flowOfHost(actor.host)),
  );
}

/** `uri`: the id of the Like, where the Undo says it. */
export function undoLike(inbound: Inbound, object: string, uri: string | undefined, actor: KnownAccount): Carried {
  const place = findPlace(inbound, object);
  const isKnown = place !== undefined && marksOf(inbound.snapshots, actor.id, place.statusId).favourited;
  if (!isKnown && uri !== undefined) inbound.withdrawn.add(actor.uri, uri);
  if (place === undefined) return 'dropped';
  const { statusId, authorId } = place;
  return done(inbound.client.call(Account.unfavourite.to(actor.id, { statusId, authorId }), flowOfHost(actor.host)));
}
