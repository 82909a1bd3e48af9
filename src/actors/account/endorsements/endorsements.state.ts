/** The keyspaces of endorsements, by account and by time. */
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { counterparts } from '../../../runtime/storage/rules.ts';
import { owner, Reference, withAccount } from '../account.state.ts';

export const endorsements = keyspace<[bigint, bigint], Reference>({
  number: 71,
  name: 'endorsements',
  owner,
  sparse: true,
  key: [id('account'), id('target')],
  value: record(Reference),
  bound: withAccount,
});

export const endorsementsByTime = keyspace<[bigint, bigint], Reference>({
  number: 72,
  name: 'endorsements by time',
  owner,
  derived: true,
  key: [id('account'), id('endorsement')],
  value: record(Reference),
  bound: withAccount,
});

export const endorsementRules = counterparts(
  endorsements,
  ([account], { id: endorsement }) => [account, endorsement],
  endorsementsByTime,
  ([account], { id: target }) => [account, target],
);
