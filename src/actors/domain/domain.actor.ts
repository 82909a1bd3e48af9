/**
 * A remote host: which of its accounts follow whom here (a post finds its inboxes by that), activities that wait,
 * the cards of its pages, and the threads of its statuses that are fetched.
 */
import { type BodyOf, implement } from '../../runtime/contract.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { relationshipLimits } from '../account/relationships/limits.ts';
import { numberOfHost } from '../partition/hosts.ts';
import { followerHostInboxes, followerHosts } from '../partition/partition.state.ts';
import { cardFetched, cardUnwanted, cardWanted, fetchCards, forgetCard, informOfCard } from './cards/keep-cards.ts';
import { Domain } from './domain.messages.ts';
import { followerInboxes, signatureDialects } from './domain.state.ts';
import { processed, received, receivedAgain } from './receive.ts';
import { receiveReport } from './receive-report.ts';
import { fetchThread, threadDue, threadStepped } from './threads/fetch-threads.ts';

type DomainTurn = Turn<string>;
function followerGained(turn: DomainTurn, message: BodyOf<typeof Domain.followerGained>): undefined {
  const { accountId, followerId } = message;
  const inbox = message.sharedInbox ?? message.inbox;
  const before = turn.get(followerInboxes, [turn.self.key, accountId, followerId]);
  if (before?.inbox === inbox) return;
  if (message.isElsewhere === true && !hasRoomElsewhere(turn, accountId, inbox)) return;
  if (before !== undefined) countInbox(turn, accountId, before.inbox, -1);
  turn.put(followerInboxes, [turn.self.key, accountId, followerId], { inbox });
  countInbox(turn, accountId, inbox, 1);
}

/** One host must not turn every post of an account into a flood of requests to other hosts (decision 0020). */
function hasRoomElsewhere(turn: DomainTurn, accountId: bigint, inbox: string): boolean {
  const host: [bigint, number] = [accountId, numberOfHost(turn, turn.self.key)];
  if (turn.get(followerHostInboxes, [...host, inbox]) !== undefined) return true;
  return (turn.get(followerHosts, host)?.inboxes ?? 0) < relationshipLimits.inboxesElsewhereMax;
}

function followerLost(turn: DomainTurn, { accountId, followerId }: BodyOf<typeof Domain.followerLost>): undefined {
  const before = turn.get(followerInboxes, [turn.self.key, accountId, followerId]);
  if (before === undefined) return;
  turn.delete(followerInboxes, [turn.self.key, accountId, followerId]);
  countInbox(turn, accountId, before.inbox, -1);
}

/** One record per inbox: a host may give each of its accounts another shared inbox. */
function countInbox(turn: DomainTurn, accountId: bigint, inbox: string, change: 1 | -1): void {
  const host: [bigint, number] = [accountId, numberOfHost(turn, turn.self.key)];
  const key: [bigint, number, string] = [...host, inbox];
  const followers = (turn.get(followerHostInboxes, key)?.followers ?? 0) + change;
  if (followers > 0) turn.put(followerHostInboxes, key, { inbox, followers });
  else turn.delete(followerHostInboxes, key);
  const isFirstOrLast = followers === (change === 1 ? 1 : 0);
  if (isFirstOrLast) countInboxes(turn, host, change);
}

function countInboxes(turn: DomainTurn, host: [bigint, number], change: 1 | -1): void {
  const inboxes = (turn.get(followerHosts, host)?.inboxes ?? 0) + change;
  if (inboxes > 0) turn.put(followerHosts, host, { inboxes });
  else turn.delete(followerHosts, host);
}

function dialectLearned(turn: DomainTurn, { dialect }: BodyOf<typeof Domain.dialectLearned>): undefined {
  turn.put(signatureDialects, [turn.self.key], { dialect, at: turn.now });
}

export const domainActor = implement<DomainTurn>()(Domain, {
  followerGained,
  followerLost,
  received,
  processed,
  receivedAgain,
  receiveReport,
  cardWanted,
  cardUnwanted,
  fetchCards,
  cardFetched,
  forgetCard,
  informOfCard,
  dialectLearned,
  fetchThread,
  threadStepped,
  threadDue,
});
