/**
 * Replies on the author of what they answer, who decides by the policy of the status or is asked. Every message may be
 * repeated; the second time changes nothing.
 */
import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { isCountedReply } from '../../policy/usage.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { isSeenBy } from '../interactions/interaction.ts';
import { addNotification, takeBack } from '../notifications/notify.ts';
import { profiles } from '../profile/profile.state.ts';
import { deliverTo } from '../relationships/follow-deliveries.ts';
import { deliver } from '../relationships/follower-distribution.ts';
import { addReply, removeReply, replyPermissionOf, tellParentDeleted } from '../statuses/replies.ts';
import type { PublishedStatus } from '../statuses/statuses.messages.ts';
import { replies, statuses } from '../statuses/statuses.state.ts';
import { ownStatus } from '../statuses/statuses.turn.ts';
import { replyRequestLimits } from './limits.ts';
import type { Question, ReplyDecision } from './reply-requests.records.ts';
import { replyByAuthorization, replyDecisions, replyRequests } from './reply-requests.state.ts';

type Asked = BodyOf<typeof Account.replyRequested>;

/** A reply, who wrote it, and how it was asked about. */
interface Decided {
  readonly statusId: Id;
  readonly replyId: Id;
  readonly by: Id;
  readonly visibility?: Asked['visibility'] | undefined;
  readonly question?: Question | undefined;
}

export function replyRequested(turn: AccountTurn, asked: Asked): PublishedStatus | DelegatedReply {
  const { statusId, replyId } = asked;
  const known = turn.get(replyDecisions, [statusId, replyId]);
  if (turn.get(replies, [statusId, replyId]) !== undefined) return accept(turn, asked);
  // What was published where it came from cannot wait: its author was told meanwhile that it may not.
  if (known?.state === 'rejected' || asked.isPublished === true) return reject(turn, asked);
  if (known !== undefined) {
    // What came by itself at first may be asked about in due form.
    turn.put(replyDecisions, [statusId, replyId], { ...known, question: { ...known.question, ...asked.question } });
    return { statusId: replyId };
  }
  switch (permissionOf(turn, asked)) {
    case 'automatic':
      // It was held by what was known where it came from: now its author tells of it as of any other.
      if (asked.visibility !== 'direct') notify(turn, asked);
      return accept(turn, asked);
    case 'manual':
      return wait(turn, asked);
    default:
      return reject(turn, asked);
  }
}

function permissionOf(turn: AccountTurn, { statusId, by }: Decided) {
  const status = turn.get(statuses, [statusId]);
  if (status?.accountId !== turn.self.key || !isSeenBy(turn, status, by)) return 'denied';
  // Its authorization could not be fetched (docs/decisions/0039).
  if (turn.get(profiles, [turn.self.key])?.suspendedAt !== undefined) return 'denied';
  return replyPermissionOf(turn, status, by);
}

function wait(turn: AccountTurn, asked: Asked): PublishedStatus {
  const { statusId, replyId, by: accountId, visibility, question } = asked;
  const { key } = turn.self;
  turn.put(replyDecisions, [statusId, replyId], { accountId, state: 'pending', visibility, question });
  turn.put(replyRequests, [key, replyId], { statusId, accountId, createdAt: turn.now });
  turn.schedule(turn.now + replyRequestLimits.ageMilliseconds, Account.replyRequestExpired.to(key, { replyId }));
  notify(turn, asked);
  refuseOldest(turn);
  return { statusId: replyId };
}

function notify(turn: AccountTurn, { statusId, replyId, by: fromId, sender }: Asked): void {
  const threadId = turn.get(statuses, [statusId])?.threadId ?? statusId;
  addNotification(turn, { type: 'mention', fromId, statusId: replyId, threadId, inReplyToId: statusId, sender });
}

function refuseOldest(turn: AccountTurn): void {
  const all = Array.from(turn.range(replyRequests, [turn.self.key], { limit: replyRequestLimits.perAccountMax + 1 }));
  if (all.length > replyRequestLimits.perAccountMax) refuseWaiting(turn, all[0]!.key[1]);
}

/** The reply is told, and its server where that asked. */
function accept(turn: AccountTurn, decided: Decided): DelegatedReply {
  return turn.delegateReply(accepted(turn, decided));
}

function accepted(turn: AccountTurn, { statusId, replyId, by, visibility, question }: Decided) {
  const hasWaited = turn.get(replyRequests, [turn.self.key, replyId]) !== undefined;
  forget(turn, statusId, replyId);
  // A private one notifies anew, as part of its conversation.
  if (hasWaited && visibility === 'direct') takeBack(turn, { type: 'mention', fromId: by, statusId: replyId });
  if (turn.get(replies, [statusId, replyId]) === undefined)
    addReply(turn, statusId, replyId, { authorId: by, isCounted: isCountedReply(visibility) });
  answer(turn, 'acceptReply', { statusId, replyId, by, visibility, question });
  return Account.replyDecided.to(by, { statusId, replyId, isAccepted: true });
}

function reject(turn: AccountTurn, decided: Decided): DelegatedReply {
  return turn.delegateReply(rejected(turn, decided));
}

/** `isToldAll`: not where somebody else's many replies are the cause. */
function rejected(
  turn: AccountTurn,
  { statusId, replyId, by: accountId, visibility, question }: Decided,
  { isToldAll = false }: { readonly isToldAll?: boolean } = {},
) {
  forget(turn, statusId, replyId);
  takeBack(turn, { type: 'mention', fromId: accountId, statusId: replyId });
  if (turn.get(statuses, [statusId]) !== undefined)
    turn.put(replyDecisions, [statusId, replyId], { accountId, state: 'rejected' });
  answer(turn, 'rejectReply', {
    statusId,
    replyId,
    by: accountId,
    visibility: isToldAll ? visibility : 'direct',
    question,
  });
  return Account.replyDecided.to(accountId, { statusId, replyId, isAccepted: false });
}

/**
 * A request is answered where it came from. What came without one is told to followers too: their servers would leave it out
 * otherwise, or show it though it is refused.
 */
function answer(
  turn: AccountTurn,
  kind: 'acceptReply' | 'rejectReply',
  { statusId, replyId, by: targetId, visibility, question }: Omit<Decided, 'replyId'> & { readonly replyId?: Id },
): void {
  const { destination, replyUri, isRequest, requestUri } = question ?? {};
  if (destination === undefined || replyUri === undefined) return;
  const said = { actorId: turn.self.key, targetId, statusId, replyId, replyUri, isRequest, requestUri };
  if (isRequest === true || visibility === undefined || !isCountedReply(visibility))
    deliverTo(turn, destination, () => ({ kind, activityId: turn.nextId(), ...said }));
  else deliver(turn, { kind, activityId: turn.nextId(), ...said }, { toFollowers: true, destinations: [destination] });
}

export function refuseReplyRequest(
  turn: AccountTurn,
  message: BodyOf<typeof Account.refuseReplyRequest>,
): PublishedStatus {
  answer(turn, 'rejectReply', message);
  return { statusId: message.statusId };
}

/** Nothing waits any more. */
function forget(turn: AccountTurn, statusId: Id, replyId: Id): void {
  turn.delete(replyRequests, [turn.self.key, replyId]);
  if (turn.get(replyDecisions, [statusId, replyId]) !== undefined) turn.delete(replyDecisions, [statusId, replyId]);
}

/** Throws notFound where nothing waits. */
function waiting(turn: AccountTurn, replyId: Id): Decided {
  const request = turn.get(replyRequests, [turn.self.key, replyId]);
  const decision = request && turn.get(replyDecisions, [request.statusId, replyId]);
  if (request === undefined || decision === undefined) throw new Failure('notFound');
  const { accountId: by, visibility, question } = decision;
  return { statusId: request.statusId, replyId, by, visibility, question };
}

export function decideReply(turn: AccountTurn, message: BodyOf<typeof Account.decideReply>): DelegatedReply {
  const { replyId, isAccepted, destinations } = message;
  const decided = waiting(turn, replyId);
  if (!isAccepted) return turn.delegateReply(rejected(turn, decided, { isToldAll: true }));
  const { by, statusId } = decided;
  accepted(turn, decided);
  return turn.delegateReply(Account.replyDecided.to(by, { statusId, replyId, isAccepted, destinations }));
}

/** Nobody has answered in time, or nobody may any more. */
function refuseWaiting(turn: AccountTurn, replyId: Id): void {
  turn.tell(rejected(turn, waiting(turn, replyId)));
}

export function replyRequestExpired(
  turn: AccountTurn,
  { replyId }: BodyOf<typeof Account.replyRequestExpired>,
): undefined {
  if (turn.get(replyRequests, [turn.self.key, replyId]) !== undefined) refuseWaiting(turn, replyId);
}

/** One of the two has blocked the other. */
export function refuseBlocked(turn: AccountTurn, otherId: Id): void {
  for (const { key, value } of [...turn.range(replyRequests, [turn.self.key])])
    if (value.accountId === otherId) refuseWaiting(turn, key[1]);
}

export function replyRequestRemoved(
  turn: AccountTurn,
  { statusId, replyId }: BodyOf<typeof Account.replyRequestRemoved>,
): undefined {
  const decision = turn.get(replyDecisions, [statusId, replyId]);
  if (decision === undefined) return;
  forgetDecision(turn, replyId, decision);
  turn.delete(replyDecisions, [statusId, replyId]);
}

/** Also used when the entries of a deleted status are swept. */
export function forgetDecision(turn: AccountTurn, replyId: Id, decision: ReplyDecision): void {
  const { accountId, state, authorizationUri } = decision;
  const { key } = turn.self;
  if (state === 'pending') {
    turn.delete(replyRequests, [key, replyId]);
    takeBack(turn, { type: 'mention', fromId: accountId, statusId: replyId });
  }
  if (authorizationUri === undefined) return;
  if (turn.get(replyByAuthorization, [key, authorizationUri])?.replyId === replyId)
    turn.delete(replyByAuthorization, [key, authorizationUri]);
}

/** Throws notFound for somebody else's status, and for what is no reply to it. */
export function revokeReply(turn: AccountTurn, message: BodyOf<typeof Account.revokeReply>): undefined {
  const { statusId, replyId, byDestination } = message;
  const status = ownStatus(turn, statusId);
  const reply = turn.get(replies, [statusId, replyId]);
  if (reply?.authorId === undefined || reply.authorId === turn.self.key) throw new Failure('notFound');
  removeReply(turn, statusId, replyId);
  turn.put(replyDecisions, [statusId, replyId], { accountId: reply.authorId, state: 'rejected' });
  tellParentDeleted(turn, statusId, replyId, reply.authorId);
  if (status.localOnly === true) return;
  const intent = { kind: 'revokeReply', actorId: turn.self.key, activityId: turn.nextId(), statusId, replyId } as const;
  deliver(turn, intent, { toFollowers: true, destinations: byDestination === undefined ? [] : [byDestination] });
}

/** Comes after the author has got the reply. An authorization is of one reply: the first that came with it. */
export function replyAuthorized(turn: AccountTurn, message: BodyOf<typeof Account.replyAuthorized>): PublishedStatus {
  const { statusId, replyId, by: accountId, authorizationUri } = message;
  const isTaken = turn.get(replyByAuthorization, [turn.self.key, authorizationUri]) !== undefined;
  if (!isTaken && turn.get(replies, [statusId, replyId]) !== undefined) {
    turn.put(replyDecisions, [statusId, replyId], { accountId, state: 'authorized', authorizationUri });
    turn.put(replyByAuthorization, [turn.self.key, authorizationUri], { statusId, replyId });
  }
  return { statusId: replyId };
}

/** The server of this remote account deleted the object at this address: true where it was an authorization. */
export function deleteReplyAuthorization(turn: AccountTurn, uri: string): boolean {
  const authorized = turn.get(replyByAuthorization, [turn.self.key, uri]);
  if (authorized === undefined) return false;
  const { statusId, replyId } = authorized;
  const { accountId } = turn.get(replyDecisions, [statusId, replyId])!;
  turn.delete(replyByAuthorization, [turn.self.key, uri]);
  turn.put(replyDecisions, [statusId, replyId], { accountId, state: 'rejected' });
  removeReply(turn, statusId, replyId);
  tellParentDeleted(turn, statusId, replyId, accountId);
  return true;
}
