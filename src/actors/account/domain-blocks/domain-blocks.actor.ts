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
import { dismissFollows } from '../notifications/follow-notifications.ts';
import { addNotification } from '../notifications/notify.ts';
import { actingAccount, ownProfile } from '../profile/profile.turn.ts';
import { blockedDomains, blocksDomain } from '../relationships/blocked-domains.queries.ts';
import { deliverFollowAnswer, deliverUndoFollow } from '../relationships/follow-deliveries.ts';
import { relationshipLimits } from '../relationships/limits.ts';
import type { Follower } from '../relationships/relationships.records.ts';
import { followers, followRequests } from '../relationships/relationships.state.ts';
import { addDomainBlock, removeDomainBlock } from '../relationships/store-domain-block.ts';
import { removeFollowerOrRequest, removeFollowing } from '../relationships/store-follow.ts';
import { domainBlockMessages } from './domain-blocks.messages.ts';

const { domainBlocksMax, severedPerTurn } = relationshipLimits;

function blockDomain(
  turn: AccountTurn,
  { domain, followed }: BodyOf<typeof domainBlockMessages.blockDomain>,
): undefined {
  ownProfile(turn);
  if (!blocksDomain(turn, turn.self.key, domain)) {
    refuseTooMany(turn);
    addDomainBlock(turn, domain);
  }
  severDomain(turn, { domain, followed });
}

function unblockDomain(turn: AccountTurn, { domain }: BodyOf<typeof domainBlockMessages.unblockDomain>): undefined {
  removeDomainBlock(turn, domain);
}

/** Stops when the block was taken back meanwhile; the account is notified of the follows that have ended. */
function severDomain(turn: AccountTurn, message: BodyOf<typeof domainBlockMessages.severDomain>): undefined {
  const { domain, followed, afterFollowerId, afterRequesterId } = message;
  const severed = { ...(message.severed ?? { followers: 0, following: 0 }) };
  if (!blocksDomain(turn, turn.self.key, domain)) {
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
  if (blockedDomains(turn, turn.self.key).size >= domainBlocksMax)
    throw validationFailure(`You cannot block more than ${domainBlocksMax} domains`, {
      reason: 'tooManyServers',
      limit: domainBlocksMax,
    });
}

export const domainBlocksFeature = feature<AccountTurn>()({
  messages: domainBlockMessages,
  handlers: { blockDomain, unblockDomain, severDomain },
  state: [],
});
