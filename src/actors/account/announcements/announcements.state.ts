/** Which announcements of the server an account has dismissed. */

import { present } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { instanceLimits } from '../../instance/limits.ts';
import { owner } from '../account.state.ts';

export const dismissedAnnouncements = keyspace<[bigint, bigint], true>({
  number: 64,
  name: 'dismissed announcements',
  owner,
  key: [id('account'), id('announcement')],
  value: present,
  bound: { by: 'count', entries: instanceLimits.announcementsMax + 1 },
});
