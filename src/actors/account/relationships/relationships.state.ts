/**
 * The keyspaces of follows, blocks and mutes. Relationships that are listed by time and also looked up by account have
 * two entries.
 */
import type { z } from 'zod';
import { present, record } from '../../../runtime/codec.ts';
import type { BodyOf } from '../../../runtime/contract.ts';
import { id, type Keyspace, keyspace } from '../../../runtime/storage/keyspace.ts';
import {
  agreement,
  awaits,
  countEntries,
  counterparts,
  disagreement,
  type EntryRule,
  type Rule,
  rule,
} from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { owner, Reference, withAccount } from '../account.state.ts';
import { accountCounters } from '../profile/profile.state.ts';
import { Block, Follow, Follower, FollowerDistribution, Mute } from './relationships.records.ts';

export const followerDistributions = keyspace<[bigint], FollowerDistribution>({
  number: 23,
  name: 'follower distributions',
  owner,
  derived: true,
  remembered: true,
  key: [id('account')],
  value: record(FollowerDistribution),
  bound: withAccount,
});

/** Local followers to notify of each new status: those whose follow has `notify`. */
export const followersToNotify = keyspace<[bigint, bigint], true>({
  number: 52,
  name: 'followers to notify',
  owner,
  derived: true,
  key: [id('account'), id('follower')],
  value: present,
  bound: { by: 'owner', reason: 'as long as the follow' },
});

export const following = keyspace<[bigint, bigint], Follow>({
  number: 37,
  name: 'following',
  owner,
  key: [id('account'), id('target')],
  value: record(Follow),
  bound: withAccount,
});

export const followingByTime = keyspace<[bigint, bigint], Reference>({
  number: 38,
  name: 'following by time',
  owner,
  derived: true,
  key: [id('account'), id('follow')],
  value: record(Reference),
  bound: withAccount,
});

export const followers = keyspace<[bigint, bigint], Follower>({
  number: 39,
  name: 'followers',
  owner,
  key: [id('account'), id('follower')],
  value: record(Follower),
  bound: withAccount,
});

export const followersByTime = keyspace<[bigint, bigint], Reference>({
  number: 40,
  name: 'followers by time',
  owner,
  derived: true,
  key: [id('account'), id('follow')],
  value: record(Reference),
  bound: withAccount,
});

export const followRequests = keyspace<[bigint, bigint], Follower>({
  number: 41,
  name: 'follow requests',
  owner,
  key: [id('account'), id('requester')],
  value: record(Follower),
  bound: withAccount,
});

export const followRequestsByTime = keyspace<[bigint, bigint], Reference>({
  number: 42,
  name: 'follow requests by time',
  owner,
  derived: true,
  key: [id('account'), id('request')],
  value: record(Reference),
  bound: withAccount,
});

export const blocks = keyspace<[bigint, bigint], z.infer<typeof Block>>({
  number: 43,
  name: 'blocks',
  owner,
  sparse: true,
  key: [id('account'), id('target')],
  value: record(Block),
  bound: withAccount,
});

export const blocksByTime = keyspace<[bigint, bigint], Reference>({
  number: 44,
  name: 'blocks by time',
  owner,
  derived: true,
  key: [id('account'), id('block')],
  value: record(Reference),
  bound: withAccount,
});

export const blockedBy = keyspace<[bigint, bigint], true>({
  number: 45,
  name: 'blocked by',
  owner,
  sparse: true,
  key: [id('account'), id('blocker')],
  value: present,
  bound: withAccount,
});

export const mutes = keyspace<[bigint, bigint], Mute>({
  number: 46,
  name: 'mutes',
  owner,
  sparse: true,
  key: [id('account'), id('target')],
  value: record(Mute),
  bound: withAccount,
});

export const mutesByTime = keyspace<[bigint, bigint], Reference>({
  number: 47,
  name: 'mutes by time',
  owner,
  derived: true,
  key: [id('account'), id('mute')],
  value: record(Reference),
  bound: withAccount,
});

type ById = { readonly id: bigint };

/** By account, with the id of the relationship; and by that id, with the account. */
function byAccountAndTime<Value extends ById>(
  byAccount: Keyspace<[bigint, bigint], Value>,
  byTime: Keyspace<[bigint, bigint], Reference>,
  isListed: (value: Value) => boolean = () => true,
): EntryRule[] {
  return counterparts(
    byAccount,
    ([account], value) => (isListed(value) ? [account, value.id] : undefined),
    byTime,
    ([account], { id: other }) => [account, other],
  );
}

type FollowOptions = { readonly showReblogs: boolean; readonly notify: boolean };

function isAsWanted(kept: FollowOptions, wanted: FollowOptions): boolean {
  return kept.showReblogs === wanted.showReblogs && kept.notify === wanted.notify;
}

/** Remote followers get notifications from their own server. */
function isToNotify(follower: Follower | undefined): boolean {
  return follower?.notify === true && follower.destination === undefined;
}

export const relationshipRules: readonly Rule[] = [
  ...byAccountAndTime(following, followingByTime, ({ state }) => state === 'accepted'),
  ...byAccountAndTime(followers, followersByTime),
  ...byAccountAndTime(followRequests, followRequestsByTime),
  ...byAccountAndTime(blocks, blocksByTime),
  ...byAccountAndTime(mutes, mutesByTime),
  rule(accountCounters, ([account], said, reader) =>
    disagreement('followed', said.following, countEntries(reader, followingByTime, [account])),
  ),
  rule(accountCounters, ([account], said, reader) =>
    disagreement('followers', said.followers, countEntries(reader, followersByTime, [account])),
  ),
  rule(followerDistributions, ([account], { local, remote }, reader) => {
    const sum = [...local, ...remote].reduce((total, count) => total + count, 0);
    return disagreement('followers', sum, countEntries(reader, followersByTime, [account]));
  }),
  rule(followersToNotify, ([account, follower], _present, reader) =>
    isToNotify(reader.get(followers, [account, follower])) ? undefined : 'is no follower who asked for it',
  ),
  rule(followers, ([account, follower], kept, reader) =>
    isToNotify(kept) && reader.get(followersToNotify, [account, follower]) === undefined
      ? 'is not among the followers to notify'
      : undefined,
  ),
  rule(followerDistributions, ([account], { notified = 0 }, reader) =>
    disagreement('followers to notify', notified, countEntries(reader, followersToNotify, [account])),
  ),
  agreement(following, ([account, target], { id, state }, server) => {
    const kept = server.get(state === 'accepted' ? followers : followRequests, [target, account]);
    return kept?.id === id ? undefined : 'is not known to the account that is followed';
  }),
  agreement(followers, ([account, follower], kept, server) => {
    const follow = server.get(following, [follower, account]);
    if (follow?.id !== kept.id || follow.state !== 'accepted') return 'is not known to the follower';
    return isAsWanted(kept, follow) ? undefined : 'has other options than the follower chose';
  }),
  awaits(followers, [Account.followAnswerDue], {
    isAwaiting: (_key, { isUnanswered }) => isUnanswered === true,
    isMeant: ([, follower], { requesterId }: BodyOf<typeof Account.followAnswerDue>) => requesterId === follower,
  }),
  agreement(followRequests, ([account, requester], kept, server) => {
    const follow = server.get(following, [requester, account]);
    if (follow?.id !== kept.id) return 'is not known to the account that asks';
    return isAsWanted(kept, follow) ? undefined : 'has other options than the requester chose';
  }),
  agreement(blocks, ([account, target], _block, server) =>
    server.get(blockedBy, [target, account]) === undefined ? 'is not known to the account that is blocked' : undefined,
  ),
  agreement(blockedBy, ([account, blocker], _present, server) =>
    server.get(blocks, [blocker, account]) === undefined ? 'is not known to the account that blocks' : undefined,
  ),
];
