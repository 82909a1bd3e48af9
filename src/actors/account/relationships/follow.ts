/**
 * Following (specification section 3). The follower's account stores a request, asks the target, and stores the
 * target's answer; a follow that the target refuses leaves nothing behind.
 *
 * 1. Only the follower gives a follow its id: `followId` is the same at both ends, and an answer with another id is
 *    stale.
 * 2. Only the target decides the state; asking again is harmless.
 * 3. A remote target that is not known to be locked is followed at once (specification section 3); its Accept changes
 *    nothing, its Reject ends it, and with the Undo of its Accept, or without an Accept in time, the follower waits.
 * 4. A target that is suspended or has moved takes nobody new; who follows already may change the options.
 */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Destination } from '../../intents.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { relationshipHooks } from '../hooks-of-relationships.ts';
import { accountCounters, profiles } from '../profile/profile.state.ts';
import { actingAccount, isLocal, ownProfile, ownTraits } from '../profile/profile.turn.ts';
import { domainBlockOf } from './blocked-domains.state.ts';
import { deliverFollow, deliverFollowAnswer, deliverUndoFollow } from './follow-deliveries.ts';
import { changedFollow, newFollow } from './follow-options.ts';
import { relationshipLimits } from './limits.ts';
import type { FollowAnswer } from './relationships.messages.ts';
import type { Follow, Follower, FollowOptions } from './relationships.records.ts';
import { blockedBy, blocks, followers, following, followRequests } from './relationships.state.ts';
import {
  addFollower,
  addRequest,
  putFollowing,
  removeFollowerOrRequest,
  removeFollowing,
  removeRequest,
  replaceFollower,
  tellFollowChanged,
} from './store-follow.ts';

/**
 * Follows, or changes the given options of a follow. Throws forbidden for the account itself and across a block,
 * validation above the number of accounts that one may follow.
 */
export function follow(turn: AccountTurn, message: BodyOf<typeof Account.follow>): FollowAnswer | DelegatedReply {
  ownProfile(turn);
  const { targetId } = message;
  const local = isLocal(turn);
  if (targetId === turn.self.key) throw new Failure('forbidden');
  // A remote account that is blocked gets a Reject from the target.
  if (local && isBlocked(turn, targetId)) throw new Failure('forbidden');
  if (hidesDomain(turn, message.targetDestination)) throw new Failure('forbidden');
  const before = turn.get(following, [turn.self.key, targetId]);
  if (before === undefined) return beginFollow(turn, message, local);
  const after = changedFollow(before, message, turn.now);
  if (after === before && before.state === 'accepted' && local) return { state: 'accepted' };
  putFollowing(turn, targetId, after, before.state);
  if (after.history !== before.history) tellFollowChanged(turn, targetId, after, true);
  return ask(turn, targetId, after, undefined);
}

function beginFollow(turn: AccountTurn, message: BodyOf<typeof Account.follow>, local: boolean): DelegatedReply {
  const { targetId, targetDestination } = message;
  if (local && message.replaces === undefined) refuseTooMany(turn);
  const begun = newFollow(turn.nextId(), message);
  putFollowing(turn, targetId, begun, begun.state);
  return ask(turn, targetId, begun, targetDestination);
}

/** Runs on the target: decides, informs the follower, and answers a remote one. */
export function followAsked(turn: AccountTurn, message: BodyOf<typeof Account.followAsked>): DelegatedReply {
  const { by, byDestination, followId, options, uri, targetDestination } = message;
  const state = decide(turn, message);
  if (state === 'accepted') deliverFollowAnswer(turn, 'acceptFollow', by, uri, byDestination);
  if (state === 'refused') deliverFollowAnswer(turn, 'rejectFollow', by, uri, byDestination);
  const targetId = turn.self.key;
  return turn.delegateReply(Account.followAnswered.to(by, { targetId, followId, options, state, targetDestination }));
}

function decide(turn: AccountTurn, message: BodyOf<typeof Account.followAsked>): FollowAnswer['state'] {
  const { by, byDestination: destination, followId, uri, options, sender } = message;
  const { showReblogs, notify: wantsPosts } = options;
  const profile = turn.get(profiles, [turn.self.key]);
  if (profile === undefined || isBlocked(turn, by) || hidesDomain(turn, destination)) return 'refused';
  const follower: Follower = { id: followId, uri, showReblogs, notify: wantsPosts, destination };
  const before = turn.get(followers, [turn.self.key, by]);
  if (before !== undefined) {
    replaceFollower(turn, by, before, { ...follower, isUnanswered: before.isUnanswered });
    return 'accepted';
  }
  const asksAgain = removeRequest(turn, by) !== undefined;
  if (profile.suspendedAt !== undefined || profile.movedTo !== undefined) {
    if (asksAgain) for (const hooks of relationshipHooks) hooks.left?.(turn, new Set([by]));
    return 'refused';
  }
  const isDecidedElsewhere = profile.remote !== undefined && destination === undefined;
  // What its server has not accepted so far is not accepted because it is asked for again.
  const state = profile.locked || (isDecidedElsewhere && asksAgain) ? 'requested' : 'accepted';
  if (state === 'requested') addRequest(turn, by, follower);
  else if (isDecidedElsewhere) addUnanswered(turn, by, follower);
  else addFollower(turn, by, follower);
  const type = state === 'requested' ? 'follow_request' : 'follow';
  if (!asksAgain) for (const hooks of relationshipHooks) hooks.approached?.(turn, { type, fromId: by, sender });
  return state;
}

/** This remote account is followed by a local one, if its server agrees. */
function addUnanswered(turn: AccountTurn, followerId: Id, follower: Follower): void {
  addFollower(turn, followerId, { ...follower, isUnanswered: true });
  const due = Account.followAnswerDue.to(turn.self.key, { requesterId: followerId, followId: follower.id });
  turn.schedule(turn.now + relationshipLimits.answerMilliseconds, due);
}

/**
 * Runs on the follower: the target's answer. If the follow ended while the target was asked, the answer is not stored,
 * and the target is told to drop the follow.
 */
export function followAnswered(turn: AccountTurn, message: BodyOf<typeof Account.followAnswered>): FollowAnswer {
  const { targetId, followId, state, targetDestination } = message;
  const before = turn.get(following, [turn.self.key, targetId]);
  if (before === undefined || before.id !== followId) {
    if (state !== 'refused') turn.tell(Account.unfollowed.to(targetId, { ...actingAccount(turn), followId }));
    return { state };
  }
  if (state === 'refused') {
    removeFollowing(turn, targetId);
    return { state };
  }
  if (state !== before.state) putFollowing(turn, targetId, { ...before, state }, before.state);
  deliverFollow(turn, targetId, before, targetDestination);
  return { state };
}

export function unfollow(turn: AccountTurn, message: BodyOf<typeof Account.unfollow>): undefined | DelegatedReply {
  const { targetId, targetDestination } = message;
  const removed = removeFollowing(turn, targetId);
  if (removed === undefined) return undefined;
  deliverUndoFollow(turn, targetId, removed, targetDestination);
  return turn.delegateReply(Account.unfollowed.to(targetId, { ...actingAccount(turn), followId: removed.id }));
}

/** Runs on the target: the follower or the request is gone. */
export function unfollowed(turn: AccountTurn, { by, followId }: BodyOf<typeof Account.unfollowed>): undefined {
  const key: [Id, Id] = [turn.self.key, by];
  const before = turn.get(followers, key) ?? turn.get(followRequests, key);
  if (before === undefined || isStale(before, followId)) return;
  removeFollowerOrRequest(turn, by);
  for (const hooks of relationshipHooks) hooks.left?.(turn, new Set([by]));
}

export function followAccepted(turn: AccountTurn, message: BodyOf<typeof Account.followAccepted>): undefined {
  const { targetId, followId } = message;
  const before = turn.get(following, [turn.self.key, targetId]);
  if (before === undefined || before.state === 'accepted' || isStale(before, followId)) return;
  putFollowing(turn, targetId, { ...before, state: 'accepted' }, before.state);
}

export function followUnauthorized(turn: AccountTurn, message: BodyOf<typeof Account.followUnauthorized>): undefined {
  const { targetId, followId } = message;
  const before = turn.get(following, [turn.self.key, targetId]);
  if (before === undefined || isStale(before, followId)) return;
  // Whom it replaced has been left already.
  putFollowing(turn, targetId, { ...before, state: 'requested', replaces: undefined }, before.state);
}

export function followRejected(turn: AccountTurn, message: BodyOf<typeof Account.followRejected>): undefined {
  const { targetId, followId } = message;
  const before = turn.get(following, [turn.self.key, targetId]);
  if (before !== undefined && !isStale(before, followId)) removeFollowing(turn, targetId);
}

function isStale(current: Follow | Follower, followId: Id | undefined): boolean {
  return followId !== undefined && followId !== current.id;
}

/**
 * `targetDestination` is given for a new follow only: the Follow is delivered once the target's account here agrees.
 */
function ask(
  turn: AccountTurn,
  targetId: Id,
  asked: Follow,
  targetDestination: Destination | undefined,
): DelegatedReply {
  const { id, uri, showReblogs, notify: wantsPosts, languages } = asked;
  const options: FollowOptions = { showReblogs, notify: wantsPosts, languages };
  const question = { ...actingAccount(turn), followId: id, options, uri, targetDestination, sender: ownTraits(turn) };
  return turn.delegateReply(Account.followAsked.to(targetId, question));
}

function hidesDomain(turn: AccountTurn, there: Destination | undefined): boolean {
  return there !== undefined && turn.get(domainBlockOf, [turn.self.key, there.host]) !== undefined;
}

/** Blocked in either direction. */
function isBlocked(turn: AccountTurn, otherId: Id): boolean {
  const key: [Id, Id] = [turn.self.key, otherId];
  return turn.get(blocks, key) !== undefined || turn.get(blockedBy, key) !== undefined;
}

function refuseTooMany(turn: AccountTurn): void {
  const counters = turn.get(accountCounters, [turn.self.key]);
  if (counters === undefined) return;
  const { followsMax, followsPerFollower } = relationshipLimits;
  const allowed = Math.max(followsMax, Math.floor(counters.followers * followsPerFollower));
  if (counters.following >= allowed)
    throw validationFailure(`You cannot follow more than ${allowed} people`, {
      reason: 'tooManyFollows',
      limit: allowed,
    });
}
