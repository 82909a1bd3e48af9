/**
 * Deletes a status (specification 6.2: Delete). The status is gone at once; entries of others about it (favourites,
 * reblogs, replies) are swept afterwards, a slice per turn, however popular it was. Replies stay, without a parent.
 */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Destination } from '../../intents.ts';
import { reachesFollowers } from '../../policy/visibility.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { viewerStateChanged } from '../interactions/interactions.events.ts';
import {
  favouriteOfStatusBy,
  favouritesOfStatus,
  reblogOf,
  reblogOfStatusBy,
  reblogsOfStatus,
} from '../interactions/interactions.state.ts';
import { freeMediaOf } from '../media/attach-media.ts';
import { pollVotes } from '../polls/polls.state.ts';
import { quotesOfStatus } from '../quotes/quotes.state.ts';
import { removeQuote } from '../quotes/quotes.ts';
import { deliver } from '../relationships/follower-distribution.ts';
import { tellParentDeleted } from './mentions-and-replies.ts';
import type { Status } from './statuses.records.ts';
import { replies, statuses, statusVersions } from './statuses.state.ts';
import { ownStatus } from './statuses.turn.ts';
import { withdraw, withdrawFromAuthor } from './withdraw-status.ts';

const sweepEntriesPerTurn = 50;
/**
 * Entries of others about a status, and its earlier versions; reblogs come first. Messages refer to a list by its
 * index: append only.
 */
const sweptLists: readonly Keyspace<[Id, Id], unknown>[] = [
  reblogOfStatusBy,
  reblogsOfStatus,
  favouritesOfStatus,
  favouriteOfStatusBy,
  replies,
  statusVersions,
  pollVotes,
  quotesOfStatus,
];

/** For a reply, the author of the parent gives the reply of the call. */
export function deleteStatus(
  turn: AccountTurn,
  message: BodyOf<typeof Account.deleteStatus>,
): undefined | DelegatedReply {
  const status = ownStatus(turn, message.statusId);
  if (message.removesMedia === true) freeMediaOf(turn, { statusId: status.id }, true);
  const parentMessage = withdrawFromAuthor(turn, status);
  if (status.uri === undefined && status.reblogOfId === undefined) deliverDelete(turn, status, message.destinations);
  return parentMessage === undefined ? undefined : turn.delegateReply(parentMessage);
}

function deliverDelete(turn: AccountTurn, status: Status, destinations: readonly Destination[]): void {
  deliver(
    turn,
    {
      kind: 'delete',
      actorId: turn.self.key,
      activityId: turn.nextId(),
      statusId: status.id,
      visibility: status.visibility,
    },
    { toFollowers: reachesFollowers(status), destinations },
  );
}

/**
 * The next slice begins where the last one ended: searching from the start would pass over everything deleted again.
 */
export function sweepStatus(turn: AccountTurn, message: BodyOf<typeof Account.sweepStatus>): undefined {
  const { statusId, list: first = 0, after } = message;
  if (turn.get(statuses, [statusId]) !== undefined) return;
  let left = sweepEntriesPerTurn;
  for (let list = first; list < sweptLists.length; list += 1) {
    const space = sweptLists[list]!;
    const from = list === first && after !== undefined ? after + 1n : undefined;
    const swept = Array.from(turn.range(space, [statusId], { from, limit: left }), ({ key }) => key[1]);
    for (const other of swept) {
      if (space === reblogOfStatusBy) turn.tell(Account.originalDeleted.to(other, { statusId }));
      if (space === replies) tellParentDeleted(turn, statusId, other, turn.get(replies, [statusId, other])?.authorId);
      if (space === quotesOfStatus) sweepQuote(turn, statusId, other);
      turn.delete(space, [statusId, other]);
    }
    left -= swept.length;
    if (left > 0) continue;
    turn.tell(Account.sweepStatus.to(turn.self.key, { statusId, list, after: swept.at(-1)! }));
    return;
  }
}

/** The quoting status stays, with a quote that is gone. */
function sweepQuote(turn: AccountTurn, statusId: Id, quoteId: Id): void {
  const quote = turn.get(quotesOfStatus, [statusId, quoteId])!;
  removeQuote(turn, statusId, quoteId, quote);
  turn.tell(Account.decideQuote.to(quote.accountId, { statusId, quoteId, state: 'deleted' }));
}

/** A status that this account had reblogged was deleted, and the reblog with it. */
export function originalDeleted(turn: AccountTurn, { statusId }: BodyOf<typeof Account.originalDeleted>): undefined {
  const reblog = turn.get(reblogOf, [turn.self.key, statusId]);
  if (reblog === undefined) return;
  turn.delete(reblogOf, [turn.self.key, statusId]);
  turn.emit(viewerStateChanged, { accountId: turn.self.key, statusId });
  const wrapper = turn.get(statuses, [reblog.id]);
  if (wrapper !== undefined) withdraw(turn, wrapper);
}
