/** The keyspace of scheduled statuses. */
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { owner, withAccount } from '../account.state.ts';
import { ScheduledStatus } from './scheduled.records.ts';

export const scheduledStatuses = keyspace<[bigint, bigint], ScheduledStatus>({
  number: 166,
  name: 'scheduled statuses',
  owner,
  key: [id('account'), id('scheduled status')],
  value: record(ScheduledStatus),
  bound: withAccount,
});
