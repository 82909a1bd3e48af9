/** The keyspace of web push subscriptions: one for each access token. */
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { owner } from '../account.state.ts';
import { PushSubscription } from './push.records.ts';

export const pushSubscriptions = keyspace<[bigint, string], PushSubscription>({
  number: 175,
  name: 'push subscriptions',
  owner,
  sparse: true,
  key: [id('account'), hashedString('token')],
  value: record(PushSubscription),
  bound: { by: 'owner', reason: 'as long as the token' },
});
