/**
 * Answers follow requests, one by one or all of them when the account is unlocked (specification section 3), and
 * removes followers. A remote account runs these too, when its server sends Accept or Reject.
 */

import type { BodyOf, DelegatedReply, Envelope } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { serverActorId } from '../../intents.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { relationshipHooks } from '../hooks-of-relationships.ts';
import { profiles } from '../profile/profile.state.ts';
import { actingAccount } from '../profile/profile.turn.ts';
import { authorize, authorizeAll } from './authorize.ts';
import { deliverFollowAnswer } from './follow-deliveries.ts';
import { deliver } from './follower-distribution.ts';
import { followers } from './relationships.state.ts';
import { addRequest, removeFollower, removeFollowerOrRequest, removeRequest } from './store-follow.ts';

/**
 * Throws notFound when the account neither requested nor follows. The requester gives the reply, except where it knows
 * of its follow already.
 */
export function authorizeFollow(
  turn: AccountTurn,
  message: BodyOf<typeof Account.authorizeFollow>,
): undefined | DelegatedReply {
  const { requesterId, requesterDestination } = message;
  const request = removeRequest(turn, requesterId);
  if (request === undefined) {
    const follower = turn.get(followers, [turn.self.key, requesterId]);
    if (follower === undefined) throw new Failure('notFound');
    if (follower.isUnanswered)
      turn.put(followers, [turn.self.key, requesterId], { ...follower, isUnanswered: undefined });
    return;
  }
  const accepted = authorize(turn, requesterId, request, requesterDestination);
  for (const hooks of relationshipHooks) hooks.answered?.(turn, new Set([requesterId]));
  // The notification of the request becomes one of the follow, as in the Mastodon API; bulk approval notifies nobody.
  for (const hooks of relationshipHooks) hooks.approached?.(turn, { type: 'follow', fromId: requesterId });
  return turn.delegateReply(accepted);
}

/** Rejects a request, or ends an accepted follow; does nothing where there is neither. */
export function rejectFollow(
  turn: AccountTurn,
  message: BodyOf<typeof Account.rejectFollow>,
): undefined | DelegatedReply {
  const { requesterId, requesterDestination } = message;
  const removed = removeFollowerOrRequest(turn, requesterId);
  if (removed === undefined) return;
  for (const hooks of relationshipHooks) hooks.left?.(turn, new Set([requesterId]));
  deliverFollowAnswer(turn, 'rejectFollow', requesterId, removed.uri, requesterDestination ?? removed.destination);
  return turn.delegateReply(Account.followRejected.to(requesterId, { targetId: turn.self.key, followId: removed.id }));
}

/** Does nothing where there is no accepted follow. */
export function unauthorizeFollow(
  turn: AccountTurn,
  { requesterId }: BodyOf<typeof Account.unauthorizeFollow>,
): undefined | DelegatedReply {
  const told = takeBack(turn, requesterId);
  return told && turn.delegateReply(told);
}

/** The follow waits again. Returns the message for who followed; undefined where there is no follow. */
export function takeBack(turn: AccountTurn, requesterId: Id): Envelope<undefined> | undefined {
  const follower = removeFollower(turn, requesterId);
  if (follower === undefined) return undefined;
  addRequest(turn, requesterId, { ...follower, isUnanswered: undefined });
  return Account.followUnauthorized.to(requesterId, { targetId: turn.self.key, followId: follower.id });
}

/** The server's own actor cannot be followed: it rejects every request. */
export function followServer(turn: AccountTurn, { uri }: BodyOf<typeof Account.followServer>): undefined {
  const { by: targetId, byDestination } = actingAccount(turn);
  if (byDestination === undefined) return;
  deliver(
    turn,
    { kind: 'rejectFollow', actorId: serverActorId, activityId: turn.nextId(), targetId, followUri: uri },
    { toFollowers: false, destinations: [byDestination] },
  );
}

export function authorizePending(turn: AccountTurn): undefined {
  const profile = turn.get(profiles, [turn.self.key]);
  if (profile !== undefined && !profile.locked) authorizeAll(turn);
}
