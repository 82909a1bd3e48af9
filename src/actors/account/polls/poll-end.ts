/**
 * Informs voters and other servers about a poll: that it has closed, its new totals, changed options. In slices,
 * because a poll may have any number of voters.
 */

import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Destination } from '../../intents.ts';
import { reachOf } from '../../policy/visibility.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { addNotification } from '../notifications/notify.ts';
import { isLocal, ownTraits } from '../profile/profile.turn.ts';
import { fetchPoll } from '../remote/remote.effects.ts';
import { deliverStatus } from '../statuses/deliver-status.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { pollLimits } from './limits.ts';
import { findPollAudience } from './polls.effects.ts';
import { pollCounted } from './polls.events.ts';
import { pollTallies, pollVotes } from './polls.state.ts';

const limit = pollLimits.votersPerTurn;

/**
 * Notifies the author and the local voters (behaviour of the Mastodon API): each once, also where an edit opens the poll
 * again.
 */
export function closePoll(turn: AccountTurn, { statusId, expiresAt }: BodyOf<typeof Account.closePoll>): undefined {
  const tally = turn.get(pollTallies, [statusId]);
  if (tally === undefined || tally.isClosed) return;
  const status = turn.get(statuses, [statusId]);
  if (status?.poll?.expiresAt !== expiresAt) return;
  const { toldUntilId } = tally;
  turn.put(pollTallies, [statusId], { ...tally, isClosed: true, toldUntilId: turn.nextId() });
  turn.emit(pollCounted, { statusId });
  const self = turn.self.key;
  if (toldUntilId === undefined)
    addNotification(turn, { type: 'poll', fromId: self, statusId, threadId: status.threadId });
  turn.tell(Account.notifyVoters.to(self, { statusId, firstVoteId: toldUntilId }));
  if (isLocal(turn)) turn.tell(Account.announcePoll.to(self, { statusId }));
}

function votersAfter(turn: AccountTurn, statusId: Id, afterVoterId: Id | undefined) {
  const from = afterVoterId === undefined ? undefined : afterVoterId + 1n;
  return Array.from(turn.range(pollVotes, [statusId], { from, limit }), ({ key, value }) => ({
    id: key[1],
    vote: value,
  }));
}

export function notifyVoters(turn: AccountTurn, message: BodyOf<typeof Account.notifyVoters>): undefined {
  const { statusId, afterVoterId, firstVoteId = 0n } = message;
  const voters = votersAfter(turn, statusId, afterVoterId);
  const threadId = turn.get(statuses, [statusId])?.threadId;
  const cause = { type: 'poll', fromId: turn.self.key, statusId, threadId, sender: ownTraits(turn) } as const;
  for (const { id, vote } of voters)
    if (vote.destination === undefined && vote.id >= firstVoteId) turn.tell(Account.notify.to(id, cause));
  if (voters.length === limit)
    turn.tell(Account.notifyVoters.to(turn.self.key, { ...message, afterVoterId: voters.at(-1)!.id }));
}

export function announcePoll(turn: AccountTurn, message: BodyOf<typeof Account.announcePoll>): undefined {
  const { statusId, afterVoterId } = message;
  const status = turn.get(statuses, [statusId]);
  const tally = turn.get(pollTallies, [statusId]);
  if (status === undefined || tally === undefined) return;
  if (tally.isAnnounced === true) turn.put(pollTallies, [statusId], { ...tally, isAnnounced: undefined });
  if (afterVoterId === undefined) turn.effect(findPollAudience, { statusId }, Account.pollAudienceFound);
  else deliverTotals(turn, status, [], afterVoterId);
}

export function pollAudienceFound(turn: AccountTurn, message: BodyOf<typeof Account.pollAudienceFound>): undefined {
  const status = turn.get(statuses, [message.statusId]);
  if (status?.poll !== undefined) deliverTotals(turn, status, message.destinations, undefined);
}

/**
 * An Update of the Question: its `updated` is unchanged, so servers take the totals from it and record no edit. Without
 * `afterVoterId` also to followers.
 */
function deliverTotals(
  turn: AccountTurn,
  status: Status,
  destinations: readonly Destination[],
  afterVoterId: Id | undefined,
): void {
  const { id: statusId } = status;
  const voters = votersAfter(turn, statusId, afterVoterId);
  const byHost = new Map(destinations.map((destination) => [destination.host, destination]));
  for (const { vote } of voters)
    if (vote.destination !== undefined) byHost.set(vote.destination.host, vote.destination);
  deliverStatus(
    turn,
    status,
    { kind: 'update', actorId: turn.self.key, activityId: turn.nextId(), statusId },
    { ...(afterVoterId === undefined ? reachOf(status) : { toFollowers: false }), destinations: [...byHost.values()] },
  );
  if (voters.length === limit)
    turn.tell(Account.announcePoll.to(turn.self.key, { statusId, afterVoterId: voters.at(-1)!.id }));
}

/** Who had voted is notified of the edit, which has begun the poll anew. */
export function dropVotes(turn: AccountTurn, message: BodyOf<typeof Account.dropVotes>): undefined {
  const { statusId, firstVoteId, afterVoterId } = message;
  const threadId = turn.get(statuses, [statusId])?.threadId;
  const cause = { type: 'update', fromId: turn.self.key, statusId, threadId, sender: ownTraits(turn) } as const;
  const voters = votersAfter(turn, statusId, afterVoterId);
  for (const { id, vote } of voters) {
    if (vote.id >= firstVoteId) continue;
    turn.delete(pollVotes, [statusId, id]);
    if (vote.destination !== undefined) continue;
    turn.tell(Account.voteDropped.to(id, { statusId, voteId: vote.id }));
    turn.tell(Account.notify.to(id, cause));
  }
  if (voters.length === limit)
    turn.tell(Account.dropVotes.to(turn.self.key, { statusId, firstVoteId, afterVoterId: voters.at(-1)!.id }));
}

/** At most once within this age, however often the poll is read; a closed poll is not refreshed. */
export function refreshPoll(turn: AccountTurn, message: BodyOf<typeof Account.refreshPoll>): undefined {
  const { statusId, ageMilliseconds } = message;
  const tally = turn.get(pollTallies, [statusId]);
  const uri = turn.get(statuses, [statusId])?.uri;
  if (tally === undefined || uri === undefined || (tally.refreshedAt ?? 0) > turn.now - ageMilliseconds) return;
  turn.put(pollTallies, [statusId], { ...tally, refreshedAt: turn.now });
  turn.effect(fetchPoll, { uri }, Account.refreshed);
}
