/**
 * The keyspaces of favourites and reblogs, on the status and on the account that acted: by time, and by account or
 * status.
 */
import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import {
  agreement,
  countEntries,
  counterparts,
  disagreement,
  type EntryRule,
  type Rule,
  rule,
} from '../../../runtime/storage/rules.ts';
import { owner, Reference, withAccount, withStatus } from '../account.state.ts';
import { statusCounters, statuses } from '../statuses/statuses.state.ts';

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

/** `uri`: the ActivityPub id of a remote account's Like. */
const Favourite = Reference.extend({ authorId: z.bigint().optional(), uri: z.string().optional() });

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

/** The entries of a deleted status are removed list by list, in later turns. */
function whileThereIsAStatus(rules: readonly EntryRule[]): EntryRule[] {
  return rules.map((of) => ({
    ...of,
    broken: (key: never, value: never, reader, bytes) =>
      reader.get(statuses, [(key as readonly bigint[])[0]!]) === undefined
        ? undefined
        : of.broken(key, value, reader, bytes),
  }));
}

export const interactionRules: readonly Rule[] = [
  ...whileThereIsAStatus([
    ...counterparts(
      favouritesOfStatus,
      ([status], { id: account }) => [status, account],
      favouriteOfStatusBy,
      ([status], { id: favourite }) => [status, favourite],
    ),
    ...counterparts(
      reblogsOfStatus,
      ([status], { id: account }) => [status, account],
      reblogOfStatusBy,
      ([status], { id: reblog }) => [status, reblog],
    ),
    rule(statusCounters, ([status], said, reader) =>
      disagreement('favourites', said.favourites, countEntries(reader, favouritesOfStatus, [status])),
    ),
    rule(statusCounters, ([status], said, reader) =>
      disagreement('reblogs', said.reblogs, countEntries(reader, reblogsOfStatus, [status])),
    ),
  ]),
  ...counterparts(
    favourites,
    ([account], { id: status }) => [account, status],
    favouriteOf,
    ([account], { id: favourite }) => [account, favourite],
  ),
  rule(reblogOf, (_key, { id: reblog }, reader) =>
    reader.get(statuses, [reblog]) === undefined ? 'leads to a reblog that is not there' : undefined,
  ),
  agreement(favouritesOfStatus, ([status, favourite], { id: account }, server) =>
    server.get(statuses, [status]) === undefined || server.get(favourites, [account, favourite])?.id === status
      ? undefined
      : 'is not among the favourites of the account',
  ),
  agreement(favourites, ([account, favourite], { id: status }, server) =>
    server.get(statuses, [status]) === undefined || server.get(favouriteOfStatusBy, [status, account])?.id === favourite
      ? undefined
      : 'is not among the favourites of the status',
  ),
  agreement(reblogsOfStatus, ([status, reblog], { id: account }, server) =>
    server.get(statuses, [status]) === undefined || server.get(reblogOf, [account, status])?.id === reblog
      ? undefined
      : 'is not among the reblogs of the account',
  ),
  agreement(reblogOf, ([account, status], { id: reblog }, server) =>
    server.get(reblogOfStatusBy, [status, account])?.id === reblog
      ? undefined
      : 'is not among the reblogs of the status',
  ),
];
