/**
 * The indexes by which staff find accounts: every partition lists its accounts by their standing, and by the beginnings of
 * their names and e-mail addresses. Written by the turns that change them.
 */
import { present } from '../runtime/codec.ts';
import { hashedString, id, keyspace, textStart, uint32 } from '../runtime/storage/keyspace.ts';

/** By `listsOf`, in the order in which they were made. */
export const listedAccounts = keyspace<[string, bigint], true>({
  number: 58,
  name: 'listed accounts',
  owner: 'account',
  partitionWide: true,
  derived: true,
  key: [hashedString('list'), id('account')],
  value: present,
  bound: { by: 'owner', reason: 'some entries of each account' },
});

/** Whose beginnings are listed. Append only: the index is stored. */
export const beginningsOf = { username: 1, displayName: 2, email: 3 } as const;
export type Beginning = keyof typeof beginningsOf;

/** Of all accounts; in lower case. */
export const accountBeginnings = keyspace<[number, string, bigint], true>({
  number: 59,
  name: 'beginnings of accounts',
  owner: 'account',
  partitionWide: true,
  derived: true,
  key: [uint32('of what'), textStart('beginning'), id('account')],
  value: present,
  bound: { by: 'owner', reason: 'three entries of each account at most' },
});
