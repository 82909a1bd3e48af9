/**
 * Voting (behaviour of the Mastodon API: once, while the poll is open, never in one's own). The author of the poll
 * decides and counts; a local voter stores the vote too, and delivers it to the server of a remote author.
 */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { countOnDay } from '../../daily-counts.state.ts';
import { dayOf } from '../../session/session.messages.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { statusFor } from '../interactions/interaction.ts';
import { viewerStateChanged } from '../interactions/interactions.events.ts';
import { isLocal, ownDestination } from '../profile/profile.turn.ts';
import { deliverTo } from '../relationships/follow-deliveries.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { pollLimits } from './limits.ts';
import { pollCounted } from './polls.events.ts';
import type { Poll, PollTally } from './polls.records.ts';
import { pollTallies, pollVoteOf, pollVotes } from './polls.state.ts';

/**
 * Runs on the author. Throws notFound for a poll that the voter may not see, validation for a vote that is not allowed.
 */
export function vote(turn: AccountTurn, message: BodyOf<typeof Account.vote>): undefined | DelegatedReply {
  const { statusId, by, byDestination: destination, option } = message;
  const status = statusFor(turn, statusId, by);
  const tally = turn.get(pollTallies, [statusId]);
  if (status.poll === undefined || tally === undefined) throw new Failure('notFound');
  refuse(turn, status.poll, tally, by);
  const choices = choicesOf(status.poll, message);
  const before = turn.get(pollVotes, [statusId, by]);
  const known = before !== undefined && before.id >= (tally.firstVoteId ?? 0n) ? before : undefined;
  const added = choices.filter((choice) => known?.choices.includes(choice) !== true);
  // The choices of a remote voter arrive one by one, and each may be repeated.
  const mayAdd = known === undefined || (option !== undefined && status.poll.multiple);
  if (added.length === 0 || !mayAdd)
    throw validationFailure('You have already voted on this poll', { reason: 'alreadyVoted' });
  const kept = { id: known?.id ?? turn.nextId(), choices: [...(known?.choices ?? []), ...added], destination };
  turn.put(pollVotes, [statusId, by], kept);
  putTally(turn, statusId, withVotes(tally, added, known === undefined ? 1 : 0));
  turn.emit(pollCounted, { statusId });
  return option === undefined ? turn.delegateReply(keepVote(turn, status, by, kept)) : undefined;
}

function refuse(turn: AccountTurn, { expiresAt = Number.POSITIVE_INFINITY }: Poll, tally: PollTally, by: Id): void {
  if (by === turn.self.key) throw validationFailure('You cannot vote in your own polls', { reason: 'ownPoll' });
  if (tally.isClosed || expiresAt <= turn.now)
    throw validationFailure('The poll has already ended', { reason: 'pollEnded' });
}

function choicesOf({ options, multiple }: Poll, { choices, option }: BodyOf<typeof Account.vote>): number[] {
  const chosen = choices ?? [options.indexOf(option ?? '')];
  if (chosen.length === 0 || chosen.some((choice) => options[choice] === undefined))
    throw validationFailure('The chosen vote option does not exist');
  const distinct = [...new Set(chosen)];
  if (distinct.length > 1 && !multiple)
    throw validationFailure('You have already voted on this poll', { reason: 'alreadyVoted' });
  return distinct.sort((one, other) => one - other);
}

function withVotes(tally: PollTally, added: readonly number[], addedVoters: 0 | 1): PollTally {
  const votes = tally.votes.map((votesFor, option) => votesFor + (added.includes(option) ? 1 : 0));
  return { ...tally, votes, voters: tally.voters === undefined ? undefined : tally.voters + addedVoters };
}

/** Stores changed totals; those of a local poll are announced to other servers some time later. */
function putTally(turn: AccountTurn, statusId: Id, tally: PollTally): void {
  const isToAnnounce = isLocal(turn);
  turn.put(pollTallies, [statusId], { ...tally, isAnnounced: isToAnnounce || undefined });
  if (!isToAnnounce || tally.isAnnounced === true) return;
  const at = turn.now + pollLimits.announceDelayMilliseconds;
  turn.schedule(at, Account.announcePoll.to(turn.self.key, { statusId }));
}

function keepVote(turn: AccountTurn, { id: statusId, uri, poll }: Status, by: Id, kept: { id: Id; choices: number[] }) {
  return Account.voteKept.to(by, {
    statusId,
    authorId: turn.self.key,
    authorDestination: ownDestination(turn),
    statusUri: uri,
    voteId: kept.id,
    choices: kept.choices,
    options: kept.choices.map((choice) => poll!.options[choice]!),
  });
}

/** Runs on a local voter. Other servers count each choice separately. */
export function voteKept(turn: AccountTurn, message: BodyOf<typeof Account.voteKept>): undefined {
  const { statusId, statusUri, authorId, authorDestination, voteId, choices, options } = message;
  const self = turn.self.key;
  if (turn.get(pollVoteOf, [self, statusId])?.id !== voteId) countOnDay(turn, 'interactions', dayOf(turn.now));
  turn.put(pollVoteOf, [self, statusId], { id: voteId, choices });
  turn.emit(viewerStateChanged, { accountId: self, statusId });
  for (const option of options)
    deliverTo(turn, authorDestination, () => ({
      kind: 'vote',
      actorId: self,
      activityId: turn.nextId(),
      statusId,
      statusUri,
      authorId,
      option,
    }));
}

/** Runs on a remote voter, which adds its destination. */
export function receiveVote(
  turn: AccountTurn,
  { statusId, authorId, option }: BodyOf<typeof Account.receiveVote>,
): DelegatedReply {
  const voter = { by: turn.self.key, byDestination: ownDestination(turn) };
  return turn.delegateReply(Account.vote.to(authorId, { statusId, ...voter, option }));
}

/** Runs on a voter: the options have changed, and the vote no longer counts. */
export function voteDropped(turn: AccountTurn, { statusId, voteId }: BodyOf<typeof Account.voteDropped>): undefined {
  const accountId = turn.self.key;
  if (turn.get(pollVoteOf, [accountId, statusId])?.id !== voteId) return;
  turn.delete(pollVoteOf, [accountId, statusId]);
  turn.emit(viewerStateChanged, { accountId, statusId });
}
