/**
 * Answering those who asked to follow, one by one or all of them when the account is unlocked (specification section 3),
 * and sending followers away. A remote account runs these too, when its server says Accept or Reject.
 */
import type { BodyOf, DelegatedReply, Envelope } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { relationshipLimits } from '../../../runtime/limits.ts';
import { type Destination, serverActorId } from '../../intents.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { notifications } from '../notifications/notifications.state.ts';
import { addNotification, removeNotifications } from '../notifications/notify.ts';
import { profiles } from '../profile/profile.state.ts';
import { deliverFollowAnswer } from './follow-deliveries.ts';
import { deliver } from './follower-distribution.ts';
import type { Follower } from './relationships.records.ts';
import { followers, followRequestsByTime } from './relationships.state.ts';
import { actingAccount, addFollower, removeFollowerOrRequest, removeRequest } from './store-follow.ts';

/** Throws notFound when the account neither asked nor follows already. The requester gives the answer. */
export function authorizeFollow(
  turn: AccountTurn,
  message: BodyOf<typeof Account.authorizeFollow>,
): undefined | DelegatedReply {
  const { requesterId, requesterDestination } = message;
  const request = removeRequest(turn, requesterId);
  if (request === undefined) {
    if (turn.get(followers, [turn.self.key, requesterId]) === undefined) throw new Failure('notFound');
    return;
  }
  const accepted = authorize(turn, requesterId, request, requesterDestination);
  dismissRequests(turn, new Set([requesterId]));
  // In place of the request there is a follower, as in the Mastodon API; who lets everybody in hears nothing of each.
  addNotification(turn, { type: 'follow', fromId: requesterId });
  return turn.delegateReply(accepted);
}

/** Rejects a request, or ends a follow that was accepted before; nothing happens where there is neither. */
export function rejectFollow(
  turn: AccountTurn,
  message: BodyOf<typeof Account.rejectFollow>,
): undefined | DelegatedReply {
  const { requesterId, requesterDestination } = message;
  const removed = removeFollowerOrRequest(turn, requesterId);
  if (removed === undefined) return;
  dismissRequests(turn, new Set([requesterId]));
  deliverFollowAnswer(turn, 'rejectFollow', requesterId, removed.uri, requesterDestination ?? removed.destination);
  return turn.delegateReply(Account.followRejected.to(requesterId, { targetId: turn.self.key, followId: removed.id }));
}

/** Nobody follows the server's own actor: it says so to whoever asks. */
export function followServer(turn: AccountTurn, { uri }: BodyOf<typeof Account.followServer>): undefined {
  const { by: targetId, byDestination } = actingAccount(turn);
  if (byDestination === undefined) return;
  deliver(
    turn,
    { kind: 'rejectFollow', actorId: serverActorId, activityId: turn.nextId(), targetId, followUri: uri },
    { toFollowers: false, destinations: [byDestination] },
  );
}

/** The account has just become unlocked: everybody who waits is let in. */
export function authorizeAll(turn: AccountTurn): void {
  const waiting = [
    ...turn.range(followRequestsByTime, [turn.self.key], { limit: relationshipLimits.authorizationsPerTurn }),
  ];
  for (const { value } of waiting) {
    const request = removeRequest(turn, value.id);
    if (request !== undefined) turn.tell(authorize(turn, value.id, request, undefined));
  }
  dismissRequests(turn, new Set(waiting.map(({ value }) => value.id)));
  // The rest waits for a turn of its own, so that a popular account does not hold up its partition.
  if (waiting.length === relationshipLimits.authorizationsPerTurn)
    turn.schedule(turn.now, Account.authorizePending.to(turn.self.key, {}));
}

export function authorizePending(turn: AccountTurn): undefined {
  const profile = turn.get(profiles, [turn.self.key]);
  if (profile !== undefined && !profile.locked) authorizeAll(turn);
}

/** Lets the requester in; what it has to be told. */
function authorize(
  turn: AccountTurn,
  requesterId: Id,
  request: Follower,
  requesterDestination: Destination | undefined,
): Envelope<undefined> {
  const destination = requesterDestination ?? request.destination;
  addFollower(turn, requesterId, { ...request, destination });
  deliverFollowAnswer(turn, 'acceptFollow', requesterId, request.uri, destination);
  return Account.followAccepted.to(requesterId, { targetId: turn.self.key, followId: request.id });
}

/** What was answered needs no notification any more; only recent ones are looked at. */
function dismissRequests(turn: AccountTurn, requesterIds: ReadonlySet<Id>): void {
  const dismissed: Id[] = [];
  const recent = { reverse: true, limit: relationshipLimits.notificationsDismissedMax };
  for (const { key, value } of turn.range(notifications, [turn.self.key], recent))
    if (value.type === 'follow_request' && requesterIds.has(value.accountId)) dismissed.push(key[1]);
  removeNotifications(turn, dismissed);
}
