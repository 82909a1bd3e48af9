/** The keyspace of notes on other accounts. */
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { owner, withAccount } from '../account.state.ts';
import { Note } from './notes.records.ts';

export const notes = keyspace<[bigint, bigint], Note>({
  number: 70,
  name: 'notes on accounts',
  owner,
  key: [id('account'), id('target')],
  value: record(Note),
  bound: withAccount,
});
