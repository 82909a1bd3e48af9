/** The keyspace of markers: all of an account in one record. */
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { owner, withAccount } from '../account.state.ts';
import { Markers } from './markers.records.ts';

export const markers = keyspace<[bigint], Markers>({
  number: 174,
  name: 'markers',
  owner,
  key: [id('account')],
  value: record(Markers),
  bound: withAccount,
});
