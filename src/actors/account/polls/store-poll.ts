/** Creates, changes and deletes the poll of a status together with the status. */
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { Status } from '../statuses/statuses.records.ts';
import type { Poll, PollTally } from './polls.records.ts';
import { pollTallies } from './polls.state.ts';

/** The totals that another server reports for its poll. */
export type RemoteTally = Pick<PollTally, 'votes' | 'voters'>;

/** Call for each new status, and for a status whose poll is new. */
export function openPoll(turn: AccountTurn, { id: statusId, poll }: Status, counted?: RemoteTally): void {
  if (poll === undefined) return;
  const { votes = poll.options.map(() => 0), voters = counted === undefined ? 0 : undefined } = counted ?? {};
  turn.put(pollTallies, [statusId], { votes, voters, isClosed: isOver(turn, poll) });
  planEnd(turn, statusId, poll);
}

/** Whether votes for one poll are valid for the other. */
export function hasSameOptions(one: Poll | undefined, other: Poll | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.multiple === other.multiple &&
    one.options.length === other.options.length &&
    one.options.every((option, index) => option === other.options[index])
  );
}

/** After an edit: changed options remove all votes, a changed end moves the timer. */
export function changePoll(turn: AccountTurn, before: Status, after: Status, counted?: RemoteTally): void {
  const { id: statusId, poll } = after;
  if (poll === undefined && before.poll === undefined) return;
  if (!hasSameOptions(before.poll, poll)) resetPoll(turn, after, counted);
  else if (poll!.expiresAt !== before.poll!.expiresAt) {
    const tally = turn.get(pollTallies, [statusId])!;
    // One that ends with this change is closed by its timer, which notifies its voters.
    turn.put(pollTallies, [statusId], { ...tally, isClosed: tally.isClosed && isOver(turn, poll!) });
    planEnd(turn, statusId, poll!);
  }
}

function resetPoll(turn: AccountTurn, status: Status, counted: RemoteTally | undefined): void {
  const firstVoteId = turn.nextId();
  removePoll(turn, status.id);
  openPoll(turn, status, counted);
  const tally = turn.get(pollTallies, [status.id]);
  if (tally !== undefined) turn.put(pollTallies, [status.id], { ...tally, firstVoteId });
  turn.tell(Account.dropVotes.to(turn.self.key, { statusId: status.id, firstVoteId }));
}

/** Leaves the votes, which are swept later. */
export function removePoll(turn: AccountTurn, statusId: Id): void {
  turn.delete(pollTallies, [statusId]);
}

function isOver(turn: AccountTurn, { expiresAt }: Poll): boolean {
  return expiresAt !== undefined && expiresAt <= turn.now;
}

function planEnd(turn: AccountTurn, statusId: Id, { expiresAt }: Poll): void {
  if (expiresAt === undefined || turn.get(pollTallies, [statusId])?.isClosed === true) return;
  turn.schedule(Math.max(expiresAt, turn.now), Account.closePoll.to(turn.self.key, { statusId, expiresAt }));
}
