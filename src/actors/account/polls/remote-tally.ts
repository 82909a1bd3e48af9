/** The totals and the end of a remote poll, as its server reports them. */

import type { AccountTurn } from '../account.turn.ts';
import type { ReceivedStatus } from '../remote/remote.messages.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { putStatus } from '../statuses/statuses.turn.ts';
import { pollCounted } from './polls.events.ts';
import { pollTallies } from './polls.state.ts';
import { changePoll, hasSameOptions } from './store-poll.ts';

/** Takes over the totals where the options are the same. Returns the status with the current end of its poll. */
export function takeTally(turn: AccountTurn, status: Status, { poll, tally: counted }: ReceivedStatus): Status {
  const tally = turn.get(pollTallies, [status.id]);
  if (poll === undefined || counted === undefined || tally === undefined) return status;
  if (!hasSameOptions(status.poll, poll)) return status;
  turn.put(pollTallies, [status.id], { ...tally, votes: counted.votes, voters: counted.voters });
  turn.emit(pollCounted, { statusId: status.id });
  if (poll.expiresAt === status.poll?.expiresAt) return status;
  const changed = { ...status, poll: { ...status.poll!, expiresAt: poll.expiresAt } };
  putStatus(turn, changed);
  changePoll(turn, status, changed);
  return changed;
}
