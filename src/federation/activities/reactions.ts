/**
 * Likes and reblogs (boosts) of remote accounts, and their Undo. The actor of the acting account knows whether an Undo
 * arrived before its activity.
 */
import { Account } from '../../actors/account/account.messages.ts';
import type { Visibility } from '../../actors/account/account.records.ts';
import { hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import { statusIdOfUri } from '../../actors/account/statuses/statuses.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { ActOf } from '../documents/acts.ts';
import { visibilityOf } from '../documents/audience.ts';
import { isFollowersOf, type KnownAccount } from '../known-accounts.ts';
import {
  type Applied,
  callFor,
  type Outcome,
  type Received,
  type RemoteSource,
  type ResolvedStatus,
} from './inbound.ts';
import { onePerId } from './one-per-id.ts';
import { undo } from './relationships.ts';
import { resolveStatus } from './resolve-status.ts';

type Boost = ActOf<'boost'>;

/** Stored where a local account follows the booster, or wrote the original. */
export function receiveBoost(received: Received, boost: Boost): Applied {
  const { inbound, stamp, actor, source } = received;
  if (stamp.uri === undefined || statusIdOfUri(inbound.snapshots, stamp.uri) !== undefined) return 'dropped';
  const status = resolveStatus(inbound, boost.uri);
  if (status === undefined && inbound.addresses.isLocal(boost.uri)) return 'dropped';
  if (status?.isLocal !== true && !hasLocalFollowers(inbound.snapshots, actor.id)) return 'dropped';
  if (status !== undefined) return storeBoost(received, boost, status);
  return source === undefined ? 'incomplete' : fetchAndStoreBoost(received, boost, source);
}

async function fetchAndStoreBoost(received: Received, boost: Boost, source: RemoteSource): Promise<Outcome> {
  const status = await source.status(boost.uri);
  return status === undefined ? 'dropped' : storeBoost(received, boost, status);
}

/** Only public and unlisted statuses can be boosted, and one's own followers-only ones. */
function storeBoost(
  received: Received,
  boost: Boost,
  { statusId, authorId, visibility: original }: ResolvedStatus,
): Applied {
  const { inbound, actor } = received;
  const { uri, signedAt } = received.stamp;
  if (uri === undefined) return 'dropped';
  const isOwnPrivate = original === 'private' && authorId === actor.id;
  if (original !== 'public' && original !== 'unlisted' && !isOwnPrivate) return 'dropped';
  const visibility = isOwnPrivate ? 'private' : boostVisibility(boost, actor);
  const publishedAt = boost.publishedAt ?? inbound.now();
  const message = { statusId, authorId, uri, publishedAt, visibility, signedAt };
  return onePerId(received, uri, callFor(received, Account.receiveReblog.to(actor.id, message)));
}

/** A boost without a known audience counts as one for followers. */
function boostVisibility(boost: Boost, actor: KnownAccount): Visibility {
  const visibility = visibilityOf(boost.audience, (name) => isFollowersOf(actor, name));
  return visibility === 'direct' ? 'private' : visibility;
}

export function undoBoost(received: Received, { object, uri }: ActOf<'undoBoost'>): Applied {
  const status = resolveStatus(received.inbound, object);
  return undo(received, uri, status && { kind: 'boost', ...ends(status) });
}

/** Likes of local statuses only: those between remote accounts do not concern this server. */
export function receiveLike(received: Received, { uri }: ActOf<'like'>): Applied {
  const { inbound, stamp, actor } = received;
  const status = inbound.addresses.isLocal(uri) ? resolveStatus(inbound, uri) : undefined;
  if (status === undefined) return 'dropped';
  return callFor(received, Account.receiveLike.to(actor.id, { ...ends(status), ...stamp }));
}

export function undoLike(received: Received, { object, uri }: ActOf<'undoLike'>): Applied {
  const status = resolveStatus(received.inbound, object);
  return undo(received, uri, status && { kind: 'like', ...ends(status) });
}

function ends({ statusId, authorId }: ResolvedStatus): { statusId: Id; authorId: Id } {
  return { statusId, authorId };
}
