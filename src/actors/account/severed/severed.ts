/**
 * Follows of a local account that end because staff have suspended the server, or the account, at their other end. What was
 * lost is kept, so that the account can take it elsewhere; one notification tells of all of them.
 */

import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Destination } from '../../intents.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { dismissFollows } from '../notifications/follow-notifications.ts';
import { addNotification } from '../notifications/notify.ts';
import { isLocal } from '../profile/profile.turn.ts';
import { deliverFollowAnswer } from '../relationships/follow-deliveries.ts';
import type { FollowOptions } from '../relationships/relationships.records.ts';
import { followers, following, followRequests } from '../relationships/relationships.state.ts';
import { removeFollower, removeFollowing, removeRequest } from '../relationships/store-follow.ts';
import type { severedMessages } from './severed.messages.ts';
import type { SeveredFollow, StoredSeverance } from './severed.records.ts';
import { severances, severedFollows } from './severed.state.ts';

/** The accounts of a server are treated one after another. */
const quietMilliseconds = 30_000;
/** A severance that is not told yet is among the latest. */
const severancesSearchedMax = 20;

/** Pending requests end as well, and are no relationship that was lost (behaviour of the Mastodon API). */
export function severed(turn: AccountTurn, message: BodyOf<typeof severedMessages.severed>): undefined {
  const { by, acct, domain, followId, isFollower, byDestination, isAlone = byDestination !== undefined } = message;
  const cause = isAlone ? ({ targetName: acct, type } as const) : { targetName: domain };
  if (isFollower) {
    if (endFollower(turn, by, followId, byDestination)) store(turn, cause, by, { acct, isFollower: true });
    return;
  }
  const options = endFollowing(turn, by, followId);
  if (options !== undefined) store(turn, cause, by, { acct, following: options });
}

type Cause = Pick<StoredSeverance, 'targetName' | 'type'>;
const type = 'account_suspension';

/** Whether it was a follower. */
function endFollower(turn: AccountTurn, by: Id, followId: Id, byDestination: Destination | undefined): boolean {
  const key: [Id, Id] = [turn.self.key, by];
  const follower = turn.get(followers, key);
  const wasFollower = follower?.id === followId;
  const request = wasFollower ? undefined : turn.get(followRequests, key);
  if (wasFollower) removeFollower(turn, by);
  else if (request?.id === followId) removeRequest(turn, by);
  dismissFollows(turn, new Set([by]));
  if (byDestination !== undefined)
    deliverFollowAnswer(turn, 'rejectFollow', by, (follower ?? request)?.uri, byDestination);
  return wasFollower;
}

/** With what it was followed; undefined where it was not. */
function endFollowing(turn: AccountTurn, by: Id, followId: Id): FollowOptions | undefined {
  const follow = turn.get(following, [turn.self.key, by]);
  if (follow?.id !== followId) return undefined;
  removeFollowing(turn, by);
  const { state, showReblogs, notify, languages } = follow;
  return state === 'accepted' ? { showReblogs, notify, languages } : undefined;
}

function store(turn: AccountTurn, cause: Cause, by: Id, lost: Partial<SeveredFollow> & { acct: string }): void {
  if (!isLocal(turn)) return;
  const { key: self } = turn.self;
  const [severanceId, before] = openSeverance(turn, cause.targetName) ?? begin(turn, cause);
  const row = turn.get(severedFollows, [self, severanceId, by]);
  turn.put(severedFollows, [self, severanceId, by], { isFollower: false, ...row, ...lost });
  turn.put(severances, [self, severanceId], {
    ...before,
    followers: before.followers + Number(lost.isFollower === true && row?.isFollower !== true),
    following: before.following + Number(lost.following !== undefined && row?.following === undefined),
  });
}

function openSeverance(turn: AccountTurn, targetName: string): [Id, StoredSeverance] | undefined {
  const latest = turn.range(severances, [turn.self.key], { reverse: true, limit: severancesSearchedMax });
  for (const { key, value } of latest) if (!value.isTold && value.targetName === targetName) return [key[1], value];
  return undefined;
}

function begin(turn: AccountTurn, cause: Cause): [Id, StoredSeverance] {
  const severanceId = turn.nextId();
  tellLater(turn, severanceId, 0);
  return [severanceId, { ...cause, createdAt: turn.now, followers: 0, following: 0, isTold: false }];
}

function tellLater(turn: AccountTurn, severanceId: Id, counted: number): void {
  turn.schedule(turn.now + quietMilliseconds, Account.tellSevered.to(turn.self.key, { severanceId, counted }));
}

export function tellSevered(
  turn: AccountTurn,
  { severanceId, counted }: BodyOf<typeof severedMessages.tellSevered>,
): undefined {
  const { key: self } = turn.self;
  const severance = turn.get(severances, [self, severanceId]);
  if (severance === undefined || severance.isTold) return;
  const { targetName, type: cause = 'domain_block', followers: followersCount, following: followingCount } = severance;
  const count = followersCount + followingCount;
  if (count !== counted) {
    tellLater(turn, severanceId, count);
    return;
  }
  turn.put(severances, [self, severanceId], { ...severance, isTold: true });
  const told = { type: cause, targetName, followersCount, followingCount, severanceId } as const;
  addNotification(turn, { type: 'severed_relationships', fromId: self, severance: told });
}
