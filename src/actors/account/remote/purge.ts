/**
 * A remote account that its server deleted: hidden at once and for good. Everything it left here (follows both ways,
 * favourites, reblogs, statuses, collections) is removed afterwards, in slices of one turn each.
 */

import type { BodyOf } from '../../../runtime/contract.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { sweepFeaturings } from '../collections/featuring.ts';
import { sweepCollections } from '../collections/received-collections.ts';
import { favourites } from '../interactions/interactions.state.ts';
import { forgetFavourite, forgetReblog } from '../interactions/interactions.turn.ts';
import { freeMediaOf } from '../media/attach-media.ts';
import { profileChanged } from '../profile/profile.events.ts';
import type { Profile } from '../profile/profile.records.ts';
import { logins, profiles } from '../profile/profile.state.ts';
import { isLocal } from '../profile/profile.turn.ts';
import { storeProfile } from '../profile/store-profile.ts';
import { followers, following, followRequests } from '../relationships/relationships.state.ts';
import { removeFollower, removeFollowing, removeRequest } from '../relationships/store-follow.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { statuses, statusesOfAccount } from '../statuses/statuses.state.ts';
import { unlistStatus } from '../statuses/statuses.turn.ts';
import { withdraw } from '../statuses/withdraw-status.ts';

/**
 * Few at a time, and others first in between: each of them changes pages all over the tree, and whatever is written meanwhile
 * waits for the same commit (measured).
 */
const sweptPerTurn = 25;
const pauseMilliseconds = 10;
/** Mentions and tags in the statuses of a slice: each causes a message or a write. One status alone may have more. */
const namesPerTurn = 1_000;

/**
 * The profile is kept as suspended, with a tombstone. Does nothing for a local account: another server cannot delete
 * it.
 */
export function remoteAccountDeleted(turn: AccountTurn): undefined {
  const accountId = turn.self.key;
  const profile = turn.get(profiles, [accountId]);
  if (profile === undefined || turn.get(logins, [accountId]) !== undefined) return;
  const since = {
    suspendedAt: profile.suspendedAt ?? turn.now,
    deletedRemotelyAt: profile.deletedRemotelyAt ?? turn.now,
    isSuspendedByOrigin: undefined,
  };
  storeProfile(turn, { ...emptied(profile), ...since }, profile);
  turn.emit(profileChanged, { accountId });
  turn.tell(Account.purge.to(accountId, {}));
}

/** What is kept of the profile of an account that is gone. */
export function emptied(profile: Profile): Profile {
  const {
    avatar: _avatar,
    header: _header,
    avatarDescription: _ofAvatar,
    headerDescription: _ofHeader,
    emailSubscriptions: _offered,
    ...kept
  } = profile;
  return { ...kept, displayName: '', note: '', noteHtml: '', fields: [], emojis: [], alsoKnownAs: [] };
}

export function purge(turn: AccountTurn, { slice = 0 }: BodyOf<typeof Account.purge>): undefined {
  const swept =
    sweepFollows(turn) ||
    sweepFavourites(turn) ||
    sweepStatuses(turn) ||
    sweepFeaturings(turn) ||
    sweepCollections(turn);
  if (swept) turn.schedule(turn.now + pauseMilliseconds, Account.purge.to(turn.self.key, { slice: slice + 1 }));
  // Media are free only once no status has them.
  else if (isLocal(turn)) turn.tell(Account.removeOwn.to(turn.self.key, { list: 0 }));
}

/** True when something was removed and there may be more. */
function sweepFollows(turn: AccountTurn): boolean {
  const accountId = turn.self.key;
  const limit = sweptPerTurn;
  const followed = Array.from(turn.range(following, [accountId], { limit }), ({ key }) => key[1]);
  for (const targetId of followed) {
    removeFollowing(turn, targetId);
    turn.tell(Account.unfollowed.to(targetId, { by: accountId }));
  }
  const present = Array.from(turn.range(followers, [accountId], { limit }), ({ key }) => key[1]);
  const waiting = Array.from(turn.range(followRequests, [accountId], { limit }), ({ key }) => key[1]);
  for (const followerId of present) removeFollower(turn, followerId);
  for (const followerId of waiting) removeRequest(turn, followerId);
  for (const followerId of [...present, ...waiting])
    turn.tell(Account.followRejected.to(followerId, { targetId: accountId }));
  return followed.length + present.length + waiting.length > 0;
}

function sweepFavourites(turn: AccountTurn): boolean {
  const by = turn.self.key;
  const slice = [...turn.range(favourites, [by], { limit: sweptPerTurn })];
  for (const { key, value } of slice) {
    const [, favouriteId] = key;
    const { id: statusId, authorId } = value;
    forgetFavourite(turn, statusId, favouriteId);
    if (authorId !== undefined) turn.tell(Account.unfavourited.to(authorId, { statusId, by, favouriteId }));
  }
  return slice.length > 0;
}

function sweepStatuses(turn: AccountTurn): boolean {
  const accountId = turn.self.key;
  const ids = Array.from(turn.range(statusesOfAccount, [accountId], { limit: sweptPerTurn }), ({ key }) => key[1]);
  let names = 0;
  for (const [index, id] of ids.entries()) {
    const status = turn.get(statuses, [id]);
    if (status === undefined) {
      unlistStatus(turn, id);
      continue;
    }
    names += status.mentions.length + (status.addressed?.length ?? 0) + status.tags.length;
    if (index > 0 && names > namesPerTurn) break;
    takeOut(turn, status);
  }
  return ids.length > 0;
}

function takeOut(turn: AccountTurn, status: Status): void {
  const accountId = turn.self.key;
  if (isLocal(turn)) freeMediaOf(turn, { statusId: status.id }, true);
  withdraw(turn, status);
  const { reblogOfId, reblogOfAccountId } = status;
  if (reblogOfId === undefined || reblogOfAccountId === undefined) return;
  forgetReblog(turn, reblogOfId);
  turn.tell(Account.unreblogged.to(reblogOfAccountId, { statusId: reblogOfId, by: accountId }));
}
