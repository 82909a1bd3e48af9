/** The keyspace of webhooks: 127. */
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { instanceLimits } from '../limits.ts';
import { Webhook } from './webhooks.records.ts';

export const webhooks = keyspace<[string, bigint], Webhook>({
  number: 127,
  name: 'webhooks',
  owner: 'instance',
  absentIfDamaged: true,
  key: [hashedString('instance'), id('webhook')],
  value: record(Webhook),
  bound: { by: 'count', entries: instanceLimits.webhooksMax },
});
