/**
 * Deletes a status (specification 6.2: Delete). The status is gone at once; entries of others about it (favourites,
 * reblogs, replies) are swept afterwards, a slice per turn, however popular it was. Replies stay, without a parent.
 */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import type { Destination } from '../../intents.ts';
import { reachOf } from '../../policy/visibility.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { statusHooks } from '../hooks-of-statuses.ts';
import { deliverStatus } from './deliver-status.ts';
import { tellParentDeleted } from './replies.ts';
import type { SweptEntries } from './status-hooks.ts';
import type { Status } from './statuses.records.ts';
import { replies, statuses, statusVersions, tombstones } from './statuses.state.ts';
import { ownStatus } from './statuses.turn.ts';
import { withdrawFromAuthor } from './withdraw-status.ts';

const sweepEntriesPerTurn = 50;
const ownSweeps: readonly SweptEntries[] = [
  {
    number: 4,
    entries: replies,
    swept: (turn, statusId, replyId) =>
      tellParentDeleted(turn, statusId, replyId, turn.get(replies, [statusId, replyId])?.authorId),
  },
  { number: 5, entries: statusVersions },
];

/** In the order of their numbers: reblogs come first. */
const allSweeps = [...ownSweeps, ...statusHooks.flatMap(({ sweeps = [] }) => sweeps)].toSorted(
  (one, other) => one.number - other.number,
);

/** For a reply, the author of the parent gives the reply of the call. */
export function deleteStatus(
  turn: AccountTurn,
  message: BodyOf<typeof Account.deleteStatus>,
): undefined | DelegatedReply {
  const status = ownStatus(turn, message.statusId);
  for (const hooks of statusHooks) hooks.deleted?.(turn, status, message);
  const parentMessage = withdrawFromAuthor(turn, status);
  if (status.uri === undefined && status.reblogOfId === undefined) deliverDelete(turn, status, message.destinations);
  return parentMessage === undefined ? undefined : turn.delegateReply(parentMessage);
}

function deliverDelete(turn: AccountTurn, status: Status, destinations: readonly Destination[]): void {
  deliverStatus(
    turn,
    status,
    {
      kind: 'delete',
      actorId: turn.self.key,
      activityId: turn.nextId(),
      statusId: status.id,
      visibility: status.visibility,
    },
    { ...reachOf(status), destinations },
  );
}

/**
 * The next slice begins where the last one ended: searching from the start would pass over everything deleted again. The id of
 * a forgotten status is free again with the last one.
 */
export function sweepStatus(turn: AccountTurn, message: BodyOf<typeof Account.sweepStatus>): undefined {
  const { statusId, list: first = 0, after, isForgotten = false } = message;
  if (turn.get(statuses, [statusId]) !== undefined) return;
  let left = sweepEntriesPerTurn;
  for (const { number, entries, swept } of allSweeps) {
    if (number < first) continue;
    const from = number === first && after !== undefined ? after + 1n : undefined;
    const others = Array.from(turn.range(entries, [statusId], { from, limit: left }), ({ key }) => key[1]);
    for (const other of others) {
      swept?.(turn, statusId, other, isForgotten);
      turn.delete(entries, [statusId, other]);
    }
    left -= others.length;
    if (left > 0) continue;
    const next = { statusId, list: number, after: others.at(-1)!, ...(isForgotten && { isForgotten }) };
    turn.tell(Account.sweepStatus.to(turn.self.key, next));
    return;
  }
  if (isForgotten) turn.delete(tombstones, [statusId]);
}
