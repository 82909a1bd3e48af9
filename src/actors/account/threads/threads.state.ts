/** The keyspace of muted threads. A thread's id is that of the status that began it. */
import { present } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { owner, withAccount } from '../account.state.ts';

export const mutedThreads = keyspace<[bigint, bigint], true>({
  number: 63,
  name: 'muted threads',
  owner,
  sparse: true,
  key: [id('account'), id('thread')],
  value: present,
  bound: withAccount,
});
