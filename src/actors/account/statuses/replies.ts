/** Replies: what the author of a parent does about a new one and a deleted one, and what becomes of replies without it. */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Permission } from '../../policy/approval.ts';
import { replyPermission } from '../../policy/replies.ts';
import { isCountedReply } from '../../policy/usage.ts';
import { Account } from '../account.messages.ts';
import type { Visibility } from '../account.records.ts';
import type { AccountTurn } from '../account.turn.ts';
import { followers, following } from '../relationships/relationships.state.ts';
import { statusCounted, statusDetached } from './statuses.events.ts';
import type { PublishedStatus } from './statuses.messages.ts';
import { isLocal, type Status } from './statuses.records.ts';
import { replies, statuses } from './statuses.state.ts';
import { countStatus } from './statuses.turn.ts';

export function repliedTo(turn: AccountTurn, message: BodyOf<typeof Account.repliedTo>): PublishedStatus {
  const { by: authorId, statusId, replyId, visibility, localOnly, isRepeated } = message;
  const parent = turn.get(statuses, [statusId]);
  const isKnown = turn.get(replies, [statusId, replyId]) !== undefined;
  if (parent === undefined || !(isKnown || replyPermissionOf(turn, parent, authorId) === 'automatic'))
    tellParentDeleted(turn, statusId, replyId, authorId);
  else if (!isKnown) {
    const isCounted = isCountedReply(visibility) && (localOnly !== true || parent.localOnly === true);
    addReply(turn, statusId, replyId, { authorId, isCounted });
  }
  return isRepeated ? { statusId: replyId, isRepeated } : { statusId: replyId };
}

export function addReply(
  turn: AccountTurn,
  statusId: Id,
  replyId: Id,
  { authorId, isCounted }: { readonly authorId: Id; readonly isCounted: boolean },
): void {
  turn.put(replies, [statusId, replyId], { authorId, isCounted });
  countReply(turn, statusId, isCounted, 1);
}

/** The author of a local status decides finally; what a remote one allows was asked before the reply was stored. */
export function replyPermissionOf(turn: AccountTurn, parent: Status, accountId: Id): Permission {
  if (parent.replyApproval === undefined || !isLocal(parent)) return 'automatic';
  const author = turn.self.key;
  return replyPermission(parent, {
    accountId,
    follows: () => turn.get(followers, [author, accountId]) !== undefined,
    isFollowedBy: () => turn.get(following, [author, accountId])?.state === 'accepted',
  });
}

export function replyRemoved(turn: AccountTurn, message: BodyOf<typeof Account.replyRemoved>): undefined {
  removeReply(turn, message.statusId, message.replyId, message.visibility);
}

/** `visibility`: counts where an earlier version did not store whether the reply is counted. */
export function removeReply(turn: AccountTurn, statusId: Id, replyId: Id, visibility?: Visibility): void {
  const reply = turn.get(replies, [statusId, replyId]);
  if (turn.get(statuses, [statusId]) === undefined || reply === undefined) return;
  turn.delete(replies, [statusId, replyId]);
  countReply(turn, statusId, reply.isCounted ?? isCountedReply(visibility), -1);
}

/** Runs on the author of a deleted status. Where an earlier version did not store who replied, nobody is informed. */
export function tellParentDeleted(turn: AccountTurn, statusId: Id, replyId: Id, authorId: Id | undefined): void {
  if (authorId === turn.self.key) detachReply(turn, { statusId, replyId });
  else if (authorId !== undefined) turn.tell(Account.parentDeleted.to(authorId, { statusId, replyId }));
}

export function parentDeleted(turn: AccountTurn, message: BodyOf<typeof Account.parentDeleted>): undefined {
  detachReply(turn, message);
}

/** A reply to a deleted status has no parent; whom it replied to stays visible (behaviour of the Mastodon API). */
function detachReply(turn: AccountTurn, { statusId, replyId }: BodyOf<typeof Account.parentDeleted>): void {
  const reply = turn.get(statuses, [replyId]);
  if (reply?.inReplyToId !== statusId) return;
  turn.put(statuses, [replyId], { ...reply, inReplyToId: undefined });
  turn.emit(statusDetached, { id: replyId });
}

/** The count is public, so only replies that everybody may see are counted; the thread changes in any case. */
function countReply(turn: AccountTurn, statusId: Id, isCounted: boolean, change: 1 | -1): void {
  if (isCounted) countStatus(turn, statusId, 'replies', change);
  turn.emit(statusCounted, { id: statusId });
}
