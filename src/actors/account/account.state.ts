/**
 * The keyspaces of accounts (numbers 20 to 79). Statuses belong to their author and share the author's slot, so an id
 * alone finds them. What has an order in time and a yes-or-no question has two entries: one by time, one by account.
 */
import { z } from 'zod';
import { present, record } from '../../runtime/codec.ts';
import { id, type Keyspace, keyspace, name } from '../../runtime/storage/keyspace.ts';
import {
  AccountCounters,
  Block,
  Follow,
  Follower,
  KeyPair,
  Login,
  Mute,
  Notification,
  Profile,
  Reach,
  Status,
  StatusCounters,
  StatusSummary,
} from './account.records.ts';

const owner = 'account';
const withAccount = { by: 'owner', reason: 'as long as the account' } as const;
const withStatus = { by: 'owner', reason: 'as long as the status' } as const;
const Reference = z.object({ id: z.bigint() });
type Reference = z.infer<typeof Reference>;

export const profiles = keyspace<[bigint], Profile>({
  number: 20,
  name: 'profiles',
  owner,
  remembered: true,
  key: [id('account')],
  value: record(Profile),
  bound: withAccount,
});
export const logins = keyspace<[bigint], Login>({
  number: 21,
  name: 'logins',
  owner,
  remembered: true,
  key: [id('account')],
  value: record(Login),
  bound: withAccount,
});
export const accountCounters = keyspace<[bigint], AccountCounters>({
  number: 22,
  name: 'account counters',
  owner,
  key: [id('account')],
  value: record(AccountCounters),
  bound: withAccount,
});
export const reaches = keyspace<[bigint], Reach>({
  number: 23,
  name: 'reaches',
  owner,
  derived: true,
  remembered: true,
  key: [id('account')],
  value: record(Reach),
  bound: withAccount,
});
export const keyPairs = keyspace<[bigint], KeyPair>({
  number: 24,
  name: 'key pairs',
  owner,
  key: [id('account')],
  value: record(KeyPair),
  bound: withAccount,
});

export const statuses = keyspace<[bigint], Status>({
  number: 25,
  name: 'statuses',
  owner,
  key: [id('status')],
  value: record(Status),
  bound: withAccount,
});
export const statusesOfAccount = keyspace<[bigint, bigint], StatusSummary>({
  number: 26,
  name: 'statuses of account',
  owner,
  derived: true,
  key: [id('account'), id('status')],
  value: record(StatusSummary),
  bound: withStatus,
});
export const statusCounters = keyspace<[bigint], StatusCounters>({
  number: 27,
  name: 'status counters',
  owner,
  key: [id('status')],
  value: record(StatusCounters),
  bound: withStatus,
});
/** Deleted ids, so that they are not given again to something that claims the same time. */
export const tombstones = keyspace<[bigint], true>({
  number: 28,
  name: 'tombstones',
  owner,
  key: [id('status')],
  value: present,
  bound: withAccount,
});
export const replies = keyspace<[bigint, bigint], true>({
  number: 29,
  name: 'replies',
  owner,
  key: [id('status'), id('reply')],
  value: present,
  bound: withStatus,
});
export const favouritesOfStatus = keyspace<[bigint, bigint], Reference>({
  number: 30,
  name: 'favourites of status',
  owner,
  key: [id('status'), id('favourite')],
  value: record(Reference),
  bound: withStatus,
});
export const favouriteOfStatusBy = keyspace<[bigint, bigint], Reference>({
  number: 31,
  name: 'favourite of status by account',
  owner,
  key: [id('status'), id('account')],
  value: record(Reference),
  bound: withStatus,
});
export const reblogsOfStatus = keyspace<[bigint, bigint], Reference>({
  number: 32,
  name: 'reblogs of status',
  owner,
  key: [id('status'), id('reblog')],
  value: record(Reference),
  bound: withStatus,
});
export const reblogOfStatusBy = keyspace<[bigint, bigint], Reference>({
  number: 33,
  name: 'reblog of status by account',
  owner,
  key: [id('status'), id('account')],
  value: record(Reference),
  bound: withStatus,
});

const Favourite = Reference.extend({ authorId: z.bigint().optional() });
export const favourites = keyspace<[bigint, bigint], z.infer<typeof Favourite>>({
  number: 34,
  name: 'favourites',
  owner,
  key: [id('account'), id('favourite')],
  value: record(Favourite),
  bound: withAccount,
});
export const favouriteOf = keyspace<[bigint, bigint], Reference>({
  number: 35,
  name: 'favourite by status',
  owner,
  key: [id('account'), id('status')],
  value: record(Reference),
  bound: withAccount,
});
export const reblogOf = keyspace<[bigint, bigint], Reference>({
  number: 36,
  name: 'reblog by status',
  owner,
  key: [id('account'), id('status')],
  value: record(Reference),
  bound: withAccount,
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

export const notifications = keyspace<[bigint, bigint], Notification>({
  number: 48,
  name: 'notifications',
  owner,
  key: [id('account'), id('notification')],
  value: record(Notification),
  bound: withAccount,
});

const Idempotency = z.object({ statusId: z.bigint(), at: z.number() });
export const idempotencyKeys = keyspace<[bigint, string], z.infer<typeof Idempotency>>({
  number: 49,
  name: 'idempotency keys',
  owner,
  key: [id('account'), name('key')],
  value: record(Idempotency),
  bound: { by: 'age', milliseconds: 60 * 60 * 1000 },
});

/** Remote statuses by their ActivityPub id. Every partition is asked: the id alone does not tell the author. */
export const statusByUri = keyspace<[string], Reference>({
  number: 50,
  name: 'status by URI',
  owner,
  partitionWide: true,
  derived: true,
  key: [name('uri')],
  value: record(Reference),
  bound: withStatus,
});

/** How many notifications an account has, so that the oldest can go when there are too many. */
export const notificationCounts = keyspace<[bigint], { count: number }>({
  number: 51,
  name: 'notification counts',
  owner,
  derived: true,
  key: [id('account')],
  value: record(z.object({ count: z.number() })),
  bound: withAccount,
});

/** Which local followers asked to hear of each new status; their number stands in the reach. */
export const bells = keyspace<[bigint, bigint], true>({
  number: 52,
  name: 'bells',
  owner,
  derived: true,
  key: [id('account'), id('follower')],
  value: present,
  bound: { by: 'owner', reason: 'as long as the follow' },
});

export const accountKeyspaces: readonly Keyspace<never, never>[] = [
  profiles,
  logins,
  accountCounters,
  reaches,
  keyPairs,
  statuses,
  statusesOfAccount,
  statusCounters,
  tombstones,
  replies,
  favouritesOfStatus,
  favouriteOfStatusBy,
  reblogsOfStatus,
  reblogOfStatusBy,
  favourites,
  favouriteOf,
  reblogOf,
  following,
  followingByTime,
  followers,
  followersByTime,
  followRequests,
  followRequestsByTime,
  blocks,
  blocksByTime,
  blockedBy,
  mutes,
  mutesByTime,
  notifications,
  idempotencyKeys,
  statusByUri,
  notificationCounts,
  bells,
] as unknown as readonly Keyspace<never, never>[];
