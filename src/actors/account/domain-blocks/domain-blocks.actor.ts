/**
 * Blocked domains: their accounts are hidden, and follows end in both directions. Followers there are sent a Reject
 * each (specification 6.2).
 */

import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Keyspace } from '../../../runtime/storage/keyspace.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { addNotification } from '../notifications/notify.ts';
import { actingAccount, ownProfile } from '../profile/profile.turn.ts';
import { deliverFollowAnswer, deliverUndoFollow } from '../relationships/follow-deliveries.ts';
import { dismissFollows } from '../relationships/follow-notifications.ts';
import { relationshipLimits } from '../relationships/limits.ts';
import { hiddenAccountsChanged } from '../relationships/relationships.events.ts';
import type { Follower } from '../relationships/relationships.records.ts';
import { followers, followRequests } from '../relationships/relationships.state.ts';
import { removeFollowerOrRequest, removeFollowing } from '../relationships/store-follow.ts';
import { domainBlockMessages } from './domain-blocks.messages.ts';
import * as state from './domain-blocks.state.ts';

const { domainBlockOf, domainBlocks } = state;
const { domainBlocksMax, severedPerTurn } = relationshipLimits;

function blockDomain(
  turn: AccountTurn,
  { domain, followed }: BodyOf<typeof domainBlockMessages.blockDomain>,
): undefined {
  ownProfile(turn);
  if (turn.get(domainBlockOf, [turn.self.key, domain]) === undefined) {
    refuseTooMany(turn);
    const blockId = turn.nextId();
    turn.put(domainBlocks, [turn.self.key, blockId], { domain });
    turn.put(domainBlockOf, [turn.self.key, domain], { id: blockId });
    turn.emit(hiddenAccountsChanged, { accountId: turn.self.key });
  }
  severDomain(turn, { domain, followed });
}

function unblockDomain(turn: AccountTurn, { domain }: BodyOf<typeof domainBlockMessages.unblockDomain>): undefined {
  const block = turn.get(domainBlockOf, [turn.self.key, domain]);
  if (block === undefined) return;
  turn.delete(domainBlocks, [turn.self.key, block.id]);
  turn.delete(domainBlockOf, [turn.self.key, domain]);
  turn.emit(hiddenAccountsChanged, { accountId: turn.self.key });
}

/** Stops when the block was taken back meanwhile; the account is notified of the follows that have ended. */
function severDomain(turn: AccountTurn, message: BodyOf<typeof domainBlockMessages.severDomain>): undefined {
  const { domain, followed, afterFollowerId, afterRequesterId } = message;
  const severed = { ...(message.severed ?? { followers: 0, following: 0 }) };
  if (turn.get(domainBlockOf, [turn.self.key, domain]) === undefined) {
    tellSevered(turn, domain, severed);
    return;
  }
  for (const { targetId, targetDestination } of followed.slice(0, severedPerTurn)) {
    const removed = removeFollowing(turn, targetId);
    if (removed === undefined) continue;
    if (removed.state === 'accepted') severed.following += 1;
    deliverUndoFollow(turn, targetId, removed, targetDestination);
    turn.tell(Account.unfollowed.to(targetId, { ...actingAccount(turn), followId: removed.id }));
  }
  const sent = rejectSlice(turn, followers, domain, afterFollowerId);
  severed.followers += sent.count;
  const rest = {
    followed: followed.slice(severedPerTurn),
    afterFollowerId: sent.lastId,
    afterRequesterId: rejectSlice(turn, followRequests, domain, afterRequesterId).lastId,
  };
  const hasMore =
    rest.followed.length > 0 || rest.afterFollowerId !== afterFollowerId || rest.afterRequesterId !== afterRequesterId;
  if (hasMore) turn.tell(Account.severDomain.to(turn.self.key, { domain, ...rest, severed }));
  else tellSevered(turn, domain, severed);
}

/** Pending requests are not counted as relationships (behaviour of the Mastodon API). */
function tellSevered(turn: AccountTurn, targetName: string, severed: { followers: number; following: number }): void {
  const { followers: followersCount, following: followingCount } = severed;
  if (followersCount + followingCount === 0) return;
  const severance = { type: 'user_domain_block', targetName, followersCount, followingCount } as const;
  addNotification(turn, { type: 'severed_relationships', fromId: turn.self.key, severance });
}

/**
 * Rejects the accounts of the domain in one slice. `lastId`: the last entry looked at; unchanged where there was none.
 */
function rejectSlice(
  turn: AccountTurn,
  space: Keyspace<[bigint, bigint], Follower>,
  domain: string,
  afterId: Id | undefined,
): { count: number; lastId: Id | undefined } {
  const ended = new Set<Id>();
  const from = afterId === undefined ? undefined : afterId + 1n;
  const slice = [...turn.range(space, [turn.self.key], { from, limit: severedPerTurn })];
  for (const { key, value } of slice) {
    const [, followerId] = key;
    if (value.destination?.host !== domain) continue;
    ended.add(followerId);
    removeFollowerOrRequest(turn, followerId);
    deliverFollowAnswer(turn, 'rejectFollow', followerId, value.uri, value.destination);
    turn.tell(Account.followRejected.to(followerId, { targetId: turn.self.key, followId: value.id }));
  }
  dismissFollows(turn, ended);
  return { count: ended.size, lastId: slice.at(-1)?.key[1] ?? afterId };
}

function refuseTooMany(turn: AccountTurn): void {
  let count = 0;
  for (const _block of turn.range(domainBlocks, [turn.self.key])) count += 1;
  if (count >= domainBlocksMax)
    throw validationFailure(`You cannot block more than ${domainBlocksMax} domains`, {
      reason: 'tooManyServers',
      limit: domainBlocksMax,
    });
}

export const domainBlocksFeature = feature<AccountTurn>()({
  messages: domainBlockMessages,
  handlers: { blockDomain, unblockDomain, severDomain },
  state: [state],
  rules: state.domainBlockRules,
});
