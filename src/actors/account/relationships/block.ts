/**
 * Blocking. A block ends follows and requests in both directions and removes each account from the collections of the
 * other. Both accounts store it, so that each can decide by its own state.
 */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Destination } from '../../intents.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { relationshipHooks } from '../hooks-of-relationships.ts';
import { actingAccount, isLocal, ownProfile } from '../profile/profile.turn.ts';
import { deliverFollowAnswer, deliverTo, deliverUndoFollow } from './follow-deliveries.ts';
import { hiddenAccountsChanged } from './relationships.events.ts';
import { blockedBy, blocks, blocksByTime } from './relationships.state.ts';
import { removeFollowerOrRequest, removeFollowing } from './store-follow.ts';

/** Throws forbidden for the account itself. */
export function block(turn: AccountTurn, message: BodyOf<typeof Account.block>): undefined | DelegatedReply {
  ownProfile(turn);
  const { targetId, targetDestination, uri } = message;
  if (targetId === turn.self.key) throw new Failure('forbidden');
  if (turn.get(blocks, [turn.self.key, targetId]) !== undefined) return undefined;
  const blockId = turn.nextId();
  turn.put(blocks, [turn.self.key, targetId], { id: blockId, uri });
  turn.put(blocksByTime, [turn.self.key, blockId], { id: targetId });
  endFollows(turn, targetId, targetDestination);
  for (const hooks of relationshipHooks) hooks.blocked?.(turn, targetId, true);
  emitHiddenAccountsChanged(turn, targetId);
  deliverTo(turn, targetDestination, () => ({
    kind: 'block',
    actorId: turn.self.key,
    activityId: blockId,
    targetId,
    blockId,
  }));
  return turn.delegateReply(Account.blocked.to(targetId, actingAccount(turn)));
}

/**
 * Undo and Reject are delivered besides the Block, because some servers treat a Block as mere information. A local
 * target gets `blocked` instead.
 */
function endFollows(turn: AccountTurn, targetId: Id, targetDestination: Destination | undefined): void {
  const followed = removeFollowing(turn, targetId);
  if (followed !== undefined) deliverUndoFollow(turn, targetId, followed, targetDestination);
  const follower = removeFollowerOrRequest(turn, targetId);
  if (follower === undefined) return;
  for (const hooks of relationshipHooks) hooks.left?.(turn, new Set([targetId]));
  deliverFollowAnswer(turn, 'rejectFollow', targetId, follower.uri, targetDestination);
}

/** Runs on the blocked account. */
export function blocked(turn: AccountTurn, { by }: BodyOf<typeof Account.blocked>): undefined {
  turn.put(blockedBy, [turn.self.key, by], true);
  for (const hooks of relationshipHooks) hooks.blocked?.(turn, by, false);
  removeFollowing(turn, by);
  if (removeFollowerOrRequest(turn, by) !== undefined)
    for (const hooks of relationshipHooks) hooks.left?.(turn, new Set([by]));
  emitHiddenAccountsChanged(turn, by);
}

export function unblock(turn: AccountTurn, message: BodyOf<typeof Account.unblock>): undefined | DelegatedReply {
  const { targetId, targetDestination } = message;
  const before = turn.get(blocks, [turn.self.key, targetId]);
  if (before === undefined) return undefined;
  turn.delete(blocks, [turn.self.key, targetId]);
  turn.delete(blocksByTime, [turn.self.key, before.id]);
  emitHiddenAccountsChanged(turn, targetId);
  deliverTo(turn, targetDestination, () => ({
    kind: 'undoBlock',
    actorId: turn.self.key,
    activityId: turn.nextId(),
    targetId,
    blockId: before.id,
  }));
  return turn.delegateReply(Account.unblocked.to(targetId, actingAccount(turn)));
}

/** Runs on the account that was blocked. */
export function unblocked(turn: AccountTurn, { by }: BodyOf<typeof Account.unblocked>): undefined {
  turn.delete(blockedBy, [turn.self.key, by]);
  emitHiddenAccountsChanged(turn, by);
}

function emitHiddenAccountsChanged(turn: AccountTurn, targetId: Id): void {
  if (isLocal(turn)) turn.emit(hiddenAccountsChanged, { accountId: turn.self.key, targetId });
}
