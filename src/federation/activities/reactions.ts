/**
 * Likes and reblogs (boosts) of remote accounts, and their Undo. The actor of the acting account knows whether an Undo
 * arrived before its activity.
 */
import { Account } from '../../actors/account/account.messages.ts';
import type { Visibility } from '../../actors/account/account.records.ts';
import { hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost } from '../../services/services.ts';
import type { ActOf } from '../documents/acts.ts';
import { visibilityOf } from '../documents/audience.ts';
import { isFollowersOf, type KnownAccount } from '../known-accounts.ts';
import {
  type Applied,
  done,
  type Inbound,
  type Outcome,
  type RemoteSource,
  type ResolvedStatus,
  type Stamp,
} from './inbound.ts';
import { undo } from './relationships.ts';
import { resolveStatus } from './resolve-status.ts';

type Boost = ActOf<'boost'>;

/** Stored where a local account follows the booster, or wrote the original. */
export function receiveBoost(
  inbound: Inbound,
  boost: Boost,
  stamp: Stamp,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Applied {
  if (stamp.uri === undefined) return 'dropped';
  const status = resolveStatus(inbound, boost.uri);
  if (status === undefined && inbound.addresses.isLocal(boost.uri)) return 'dropped';
  if (status?.isLocal !== true && !hasLocalFollowers(inbound.snapshots, actor.id)) return 'dropped';
  if (status !== undefined) return storeBoost(inbound, boost, stamp, actor, status);
  return source === undefined ? 'incomplete' : fetchAndStoreBoost(inbound, boost, stamp, actor, source);
}

async function fetchAndStoreBoost(
  inbound: Inbound,
  boost: Boost,
  stamp: Stamp,
  actor: KnownAccount,
  source: RemoteSource,
): Promise<Outcome> {
  const status = await source.status(boost.uri);
  return status === undefined ? 'dropped' : storeBoost(inbound, boost, stamp, actor, status);
}

/** Only public and unlisted statuses can be boosted, and one's own followers-only ones. */
function storeBoost(
  { client, now }: Inbound,
  boost: Boost,
  { uri, signedAt }: Stamp,
  actor: KnownAccount,
  { statusId, authorId, visibility: original }: ResolvedStatus,
): Applied {
  if (uri === undefined) return 'dropped';
  const isOwnPrivate = original === 'private' && authorId === actor.id;
  if (original !== 'public' && original !== 'unlisted' && !isOwnPrivate) return 'dropped';
  const visibility = isOwnPrivate ? 'private' : boostVisibility(boost, actor);
  const publishedAt = boost.publishedAt ?? now();
  return done(
    client.call(
      Account.receiveReblog.to(actor.id, { statusId, authorId, uri, publishedAt, visibility, signedAt }),
      flowOfHost(actor.host),
    ),
  );
}

/** A boost without a known audience counts as one for followers. */
function boostVisibility(boost: Boost, actor: KnownAccount): Visibility {
  const visibility = visibilityOf(boost.audience, (name) => isFollowersOf(actor, name));
  return visibility === 'direct' ? 'private' : visibility;
}

/** `undone` holds the id of the Announce, where the Undo names it. */
export function undoBoost(inbound: Inbound, object: string, undone: Stamp, actor: KnownAccount): Applied {
  const status = resolveStatus(inbound, object);
  return undo(inbound, undone, status && { kind: 'boost', ...ends(status) }, actor);
}

/** Likes of local statuses only: those between remote accounts do not concern this server. */
export function receiveLike(inbound: Inbound, object: string, stamp: Stamp, actor: KnownAccount): Applied {
  const status = inbound.addresses.isLocal(object) ? resolveStatus(inbound, object) : undefined;
  if (status === undefined) return 'dropped';
  const message = Account.receiveLike.to(actor.id, { ...ends(status), ...stamp });
  return done(inbound.client.call(message, flowOfHost(actor.host)));
}

/** `undone` holds the id of the Like, where the Undo names it. */
export function undoLike(inbound: Inbound, object: string, undone: Stamp, actor: KnownAccount): Applied {
  const status = resolveStatus(inbound, object);
  return undo(inbound, undone, status && { kind: 'like', ...ends(status) }, actor);
}

function ends({ statusId, authorId }: ResolvedStatus): { statusId: Id; authorId: Id } {
  return { statusId, authorId };
}
