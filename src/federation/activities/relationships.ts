/**
 * Follows and blocks between remote and local accounts: requests, answers, Undo. The actor of the acting account knows
 * whether an Undo arrived before its activity.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { followerOfFollow, followIdAt } from '../../actors/account/remote/federation.queries.ts';
import type { Undone } from '../../actors/account/remote/remote.messages.ts';
import type { ActOf, FollowReference } from '../documents/acts.ts';
import { publicAudience } from '../documents/vocabulary.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { activityIdOf } from '../local-addresses.ts';
import { type Applied, callFor, type Inbound, localAccount, type Received } from './inbound.ts';
import { relayAnswered, relayFollowedBack } from './joined-relays.ts';

/** The answer names the id of the Follow. Who follows all that is public takes this server for a relay. */
export function receiveFollow(received: Received, { followed }: ActOf<'follow'>): Applied {
  const { inbound, stamp, actor } = received;
  const followedBack = followed === inbound.addresses.instanceActor ? relayFollowedBack(received) : undefined;
  if (followedBack !== undefined) return followedBack;
  if (followed === inbound.addresses.instanceActor || followed === publicAudience)
    return callFor(received, Account.followServer.to(actor.id, { uri: stamp.uri }));
  const target = localAccount(inbound, followed);
  if (target === undefined) return 'dropped';
  return callFor(received, Account.receiveFollow.to(actor.id, { targetId: target.id, ...stamp }));
}

export function undoFollow(received: Received, { follow }: ActOf<'undoFollow'>): Applied {
  const { uri, followed, follower } = follow;
  if (follower !== undefined && follower !== received.actor.uri) return 'dropped';
  const target = followed === undefined ? undefined : localAccount(received.inbound, followed);
  return undo(received, uri, target && { kind: 'follow', targetId: target.id });
}

const answers = {
  accept: Account.authorizeFollow,
  reject: Account.rejectFollow,
  undoAccept: Account.unauthorizeFollow,
};

/**
 * The actor answers a Follow of a local account, now or long ago: a Reject also ends an accepted follow, and with the
 * Undo of its Accept the follow waits again (as in Mastodon).
 */
export function receiveAnswer(received: Received, { kind, follow }: ActOf<keyof typeof answers>): Applied {
  const { inbound, actor } = received;
  const answered = kind === 'undoAccept' ? undefined : relayAnswered(received, follow, kind === 'accept');
  if (answered !== undefined) return answered;
  const requesterId = requesterOf(inbound, follow, actor);
  if (requesterId === undefined) return 'dropped';
  return callFor(received, answers[kind].to(actor.id, { requesterId }));
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

export function receiveBlock(received: Received, { blocked }: ActOf<'block'>): Applied {
  const { inbound, stamp, actor } = received;
  const target = localAccount(inbound, blocked);
  if (target === undefined) return 'dropped';
  return callFor(received, Account.receiveBlock.to(actor.id, { targetId: target.id, ...stamp }));
}

export function undoBlock(received: Received, { object, uri }: ActOf<'undoBlock'>): Applied {
  const target = localAccount(received.inbound, object);
  return undo(received, uri, target && { kind: 'block', targetId: target.id });
}

export function undoNamed(received: Received, { uri }: ActOf<'undoNamed'>): Applied {
  return undo(received, uri, undefined);
}

/**
 * `uri`: the id of the undone activity, where the Undo names it. An Undo of an unknown activity is remembered by that
 * id: the original may be on its way. Without `undone` it applies to any activity with that id.
 */
export function undo(received: Received, uri: string | undefined, undone: Undone | undefined): Applied {
  if (uri === undefined && undone === undefined) return 'dropped';
  const { actor, stamp } = received;
  return callFor(received, Account.receiveUndo.to(actor.id, { uri, signedAt: stamp.signedAt, undone }));
}
