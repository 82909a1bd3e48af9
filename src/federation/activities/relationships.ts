/**
 * Follows and blocks between remote and local accounts: requests, answers, Undo. The actor of the acting account knows
 * whether an Undo arrived before its activity.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { findPublicAccount } from '../../actors/account/profile/profiles.queries.ts';
import { followerOfFollow, followIdAt } from '../../actors/account/remote/federation.queries.ts';
import type { Undone } from '../../actors/account/remote/remote.messages.ts';
import type { Envelope } from '../../runtime/contract.ts';
import { flowOfHost } from '../../services/services.ts';
import type { FollowReference } from '../documents/acts.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { activityIdOf } from '../local-addresses.ts';
import { type Applied, done, type Inbound, type Stamp } from './inbound.ts';

/** The answer names the id of the Follow. */
export function receiveFollow(inbound: Inbound, followed: string, stamp: Stamp, actor: KnownAccount): Applied {
  if (followed === inbound.addresses.instanceActor)
    return call(inbound, Account.followServer.to(actor.id, { uri: stamp.uri }), actor);
  const target = localAccount(inbound, followed);
  // An account that waits for approval does not exist yet for others, even if its name was guessed.
  if (target === undefined || findPublicAccount(inbound.snapshots, target.id) === undefined) return 'dropped';
  return call(inbound, Account.receiveFollow.to(actor.id, { targetId: target.id, ...stamp }), actor);
}

export function undoFollow(inbound: Inbound, follow: FollowReference, signedAt: number, actor: KnownAccount): Applied {
  const { uri, followed, follower } = follow;
  if (follower !== undefined && follower !== actor.uri) return 'dropped';
  const target = followed === undefined ? undefined : localAccount(inbound, followed);
  return undo(inbound, { uri, signedAt }, target && { kind: 'follow', targetId: target.id }, actor);
}

/** The actor answers a Follow of a local account, now or long ago: a Reject also ends an accepted follow. */
export function receiveAnswer(
  inbound: Inbound,
  kind: 'accept' | 'reject',
  follow: FollowReference,
  actor: KnownAccount,
): Applied {
  const requesterId = requesterOf(inbound, follow, actor);
  if (requesterId === undefined) return 'dropped';
  const message = kind === 'accept' ? Account.authorizeFollow : Account.rejectFollow;
  return call(inbound, message.to(actor.id, { requesterId }), actor);
}

/** The requester. A follow id of this server must be that of the current follow; other ids are the sender's own. */
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

export function receiveBlock(inbound: Inbound, blocked: string, stamp: Stamp, actor: KnownAccount): Applied {
  const target = localAccount(inbound, blocked);
  if (target === undefined) return 'dropped';
  return call(inbound, Account.receiveBlock.to(actor.id, { targetId: target.id, ...stamp }), actor);
}

/** `undone` holds the id of the Block, where the Undo names it. */
export function undoBlock(inbound: Inbound, blocked: string, undone: Stamp, actor: KnownAccount): Applied {
  const target = localAccount(inbound, blocked);
  return undo(inbound, undone, target && { kind: 'block', targetId: target.id }, actor);
}

/**
 * An Undo of an unknown activity is remembered by its id: the original may be on its way. Without `what` it applies to
 * any activity with that id.
 */
export function undo(
  inbound: Inbound,
  { uri, signedAt }: Stamp,
  what: Undone | undefined,
  actor: KnownAccount,
): Applied {
  if (uri === undefined && what === undefined) return 'dropped';
  return call(inbound, Account.receiveUndo.to(actor.id, { uri, signedAt, undone: what }), actor);
}

function localAccount({ accounts, addresses }: Inbound, uri: string): KnownAccount | undefined {
  return addresses.isLocal(uri) ? accounts.find(uri) : undefined;
}

function call({ client }: Inbound, message: Envelope, actor: KnownAccount): Applied {
  return done(client.call(message, flowOfHost(actor.host)));
}
