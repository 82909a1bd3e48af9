/** The keyspaces of bookmarks, by time and by status. */
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { counterparts } from '../../../runtime/storage/rules.ts';
import { owner, Reference, withAccount } from '../account.state.ts';

/** The reference is to the status. */
export const bookmarks = keyspace<[bigint, bigint], Reference>({
  number: 140,
  name: 'bookmarks',
  owner,
  key: [id('account'), id('bookmark')],
  value: record(Reference),
  bound: withAccount,
});

export const bookmarkOf = keyspace<[bigint, bigint], Reference>({
  number: 141,
  name: 'bookmark by status',
  owner,
  derived: true,
  key: [id('account'), id('status')],
  value: record(Reference),
  bound: withAccount,
});

export const bookmarkRules = counterparts(
  bookmarks,
  ([account], { id: status }) => [account, status],
  bookmarkOf,
  ([account], { id: bookmark }) => [account, bookmark],
);
