/** Which announcements of the server an account has dismissed. */
import { present } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { owner } from '../account.state.ts';

export const dismissedAnnouncements = keyspace<[bigint, bigint], true>({
  number: 64,
  name: 'dismissed announcements',
  owner,
  key: [id('account'), id('announcement')],
  value: present,
  bound: { by: 'owner', reason: 'those that are gone are forgotten at the next one' },
});
