/**
 * Follows and blocks between other servers' accounts and local ones: asked, answered, undone. An Undo of what is not
 * here yet is remembered, and carried out all the same: the original may be on its way through this server.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { findPublicAccount } from '../../actors/account/profile/profiles.queries.ts';
import {
  blockedByUri,
  followedByUri,
  followerOfFollow,
  followIdAt,
  isBlocking,
} from '../../actors/account/remote/federation.queries.ts';
import type { Envelope } from '../../runtime/contract.ts';
import { flowOfHost } from '../../services/services.ts';
import type { FollowReference } from '../documents/read-activity.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { activityIdOf } from '../local-addresses.ts';
import { type Carried, done, type Inbound } from './inbound.ts';

/** `uri`: the id of the Follow, which the answer will name. */
export function receiveFollow(
  inbound: Inbound,
  followed: string,
  uri: string | undefined,
  actor: KnownAccount,
): Carried {
  if (followed === inbound.addresses.instanceActor)
    return call(inbound, Account.followServer.to(actor.id, { uri }), actor);
  const target = localAccount(inbound, followed);
  // Who waits to be let in is nobody yet, also under a name that has been guessed.
  if (target === undefined || findPublicAccount(inbound.snapshots, target.id) === undefined) return 'dropped';
  if (uri !== undefined && inbound.withdrawn.take(actor.uri, uri)) return 'dropped';
  return call(inbound, Account.follow.to(actor.id, { targetId: target.id, options: {}, uri }), actor);
}

export function undoFollow(inbound: Inbound, follow: FollowReference, actor: KnownAccount): Carried {
  const { uri, followed, follower } = follow;
  if (follower !== undefined && follower !== actor.uri) return 'dropped';
  const target = followed === undefined ? undefined : localAccount(inbound, followed);
  const targetId = target?.id ?? (uri === undefined ? undefined : followedByUri(inbound.snapshots, actor.id, uri));
  const isKnown = targetId !== undefined && followIdAt(inbound.snapshots, targetId, actor.id) !== undefined;
  if (!isKnown && uri !== undefined) inbound.withdrawn.add(actor.uri, uri);
  return targetId === undefined ? 'dropped' : call(inbound, Account.unfollow.to(actor.id, { targetId }), actor);
}

/** The actor answers a Follow of a local account, now or long ago: a Reject also ends what was accepted. */
export function receiveAnswer(
  inbound: Inbound,
  kind: 'accept' | 'reject',
  follow: FollowReference,
  actor: KnownAccount,
): Carried {
  const requesterId = requesterOf(inbound, follow, actor);
  if (requesterId === undefined) return 'dropped';
  const message = kind === 'accept' ? Account.authorizeFollow : Account.rejectFollow;
  return call(inbound, message.to(actor.id, { requesterId }), actor);
}

/** Who asked. A follow id of ours must be that of the present follow; other names for it are the sender's own. */
function requesterOf({ addresses, snapshots, accounts }: Inbound, follow: FollowReference, actor: KnownAccount) {
  const { uri, follower, followed } = follow;
  if (followed !== undefined && followed !== actor.uri) return undefined;
  const followId = uri === undefined ? undefined : activityIdOf(addresses, uri);
  const named = follower === undefined ? undefined : accounts.find(follower);
  if (named === undefined) return followId === undefined ? undefined : followerOfFollow(snapshots, actor.id, followId);
  const current = followIdAt(snapshots, actor.id, named.id);
  const isStale = followId !== undefined && followId !== current;
  return !named.isLocal || current === undefined || isStale ? undefined : named.id;
}

export function receiveBlock(inbound: Inbound, blocked: string, uri: string | undefined, actor: KnownAccount): Carried {
  const target = localAccount(inbound, blocked);
  if (target === undefined || (uri !== undefined && inbound.withdrawn.take(actor.uri, uri))) return 'dropped';
  return call(inbound, Account.block.to(actor.id, { targetId: target.id, uri }), actor);
}

export function undoBlock(inbound: Inbound, blocked: string, uri: string | undefined, actor: KnownAccount): Carried {
  const target = localAccount(inbound, blocked);
  const isKnown = target !== undefined && isBlocking(inbound.snapshots, actor.id, target.id);
  if (!isKnown && uri !== undefined) inbound.withdrawn.add(actor.uri, uri);
  return target === undefined ? 'dropped' : call(inbound, Account.unblock.to(actor.id, { targetId: target.id }), actor);
}

/** The Follow or Block of this id; undefined when there is none. */
export function undoNamedRelationship(inbound: Inbound, uri: string, actor: KnownAccount): Carried | undefined {
  const followedId = followedByUri(inbound.snapshots, actor.id, uri);
  if (followedId !== undefined) return call(inbound, Account.unfollow.to(actor.id, { targetId: followedId }), actor);
  const blockedId = blockedByUri(inbound.snapshots, actor.id, uri);
  return blockedId === undefined
    ? undefined
    : call(inbound, Account.unblock.to(actor.id, { targetId: blockedId }), actor);
}

function localAccount({ accounts, addresses }: Inbound, uri: string): KnownAccount | undefined {
  return addresses.isLocal(uri) ? accounts.find(uri) : undefined;
}

function call({ client }: Inbound, message: Envelope, actor: KnownAccount): Carried {
  return done(client.call(message, flowOfHost(actor.host)));
}
