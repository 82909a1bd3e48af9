/** The keyspaces of lists: lists by id, members by account and by the time of their addition. */

import { present, record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { counterparts, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { owner, Reference, withAccount } from '../account.state.ts';
import { listLimits } from './limits.ts';
import { List } from './lists.records.ts';

const withList = { by: 'owner', reason: 'as long as the list' } as const;

export const lists = keyspace<[bigint], List>({
  number: 144,
  name: 'lists',
  owner,
  key: [id('list')],
  value: record(List),
  bound: withAccount,
});

export const listsOfAccount = keyspace<[bigint, bigint], true>({
  number: 145,
  name: 'lists of an account',
  owner,
  derived: true,
  sparse: true,
  key: [id('account'), id('list')],
  value: present,
  bound: { by: 'count', entries: listLimits.listsMax },
});

export const listMembers = keyspace<[bigint, bigint], Reference>({
  number: 146,
  name: 'list members',
  owner,
  key: [id('list'), id('member')],
  value: record(Reference),
  bound: withList,
});

export const listMembersByTime = keyspace<[bigint, bigint], Reference>({
  number: 147,
  name: 'list members by time',
  owner,
  derived: true,
  key: [id('list'), id('membership')],
  value: record(Reference),
  bound: withList,
});

export const listsOfMember = keyspace<[bigint, bigint, bigint], true>({
  number: 148,
  name: 'lists of a member',
  owner,
  derived: true,
  sparse: true,
  key: [id('account'), id('member'), id('list')],
  value: present,
  bound: withAccount,
});

export const listRules: readonly Rule[] = [
  ...counterparts(
    lists,
    ([list], { accountId }) => [accountId, list],
    listsOfAccount,
    ([, list]) => [list],
  ),
  ...counterparts(
    listMembers,
    ([list], { id: membership }) => [list, membership],
    listMembersByTime,
    ([list], { id: member }) => [list, member],
  ),
  rule(listsOfMember, ([, member, list], _value, reader) =>
    reader.get(listMembers, [list, member]) === undefined ? 'is of no member' : undefined,
  ),
  // The members of a deleted list are removed in later turns.
  rule(listMembers, ([list, member], _value, reader) => {
    const accountId = reader.get(lists, [list])?.accountId;
    if (accountId === undefined) return undefined;
    return reader.get(listsOfMember, [accountId, member, list]) === undefined
      ? 'is not found by the member'
      : undefined;
  }),
];
