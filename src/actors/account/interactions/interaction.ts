/** Shared by favouriting and reblogging: the author's permission, and how the author counts them. */
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { maySee } from '../../policy/visibility.ts';
import type { AccountTurn } from '../account.turn.ts';
import { blockedBy, blocks, followers } from '../relationships/relationships.state.ts';
import { rankStatus } from '../statuses/rank-status.ts';
import { statusCounted } from '../statuses/statuses.events.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { countStatus } from '../statuses/statuses.turn.ts';

/**
 * A status of this account, for another account that wants to interact with it. Throws notFound where there is none,
 * where it is a reblog (callers act on the original), and for accounts that may not see it, blocked ones included.
 */
export function statusFor(turn: AccountTurn, statusId: Id, accountId: Id): Status {
  const author = turn.self.key;
  const status = turn.get(statuses, [statusId]);
  const isOriginal = status?.accountId === author && status.reblogOfId === undefined;
  if (!isOriginal || !isSeenBy(turn, status, accountId)) throw new Failure('notFound');
  return status;
}

export function isSeenBy(turn: AccountTurn, status: Status, accountId: Id): boolean {
  const author = turn.self.key;
  return maySee(status, {
    accountId,
    follows: () => turn.get(followers, [author, accountId]) !== undefined,
    blocks: () => isBlockedEitherWay(turn, accountId),
    hasBlocked: () => false,
    mutes: () => false,
    hidesDomain: () => false,
  });
}

export function isBlockedEitherWay(turn: AccountTurn, accountId: Id): boolean {
  const key: [Id, Id] = [turn.self.key, accountId];
  return turn.get(blocks, key) !== undefined || turn.get(blockedBy, key) !== undefined;
}

/** Runs on the author. */
export function countInteraction(
  turn: AccountTurn,
  status: Status,
  counter: 'favourites' | 'reblogs',
  change: 1 | -1,
): void {
  rankStatus(turn, status, countStatus(turn, status.id, counter, change));
  turn.emit(statusCounted, { id: status.id });
}
