/** The keyspace of archives. */
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { awaits, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { owner } from '../account.state.ts';
import { logins } from '../profile/profile.state.ts';
import { Archive } from './leaving.records.ts';

export const archives = keyspace<[bigint], Archive>({
  number: 179,
  name: 'archives',
  owner,
  sparse: true,
  key: [id('account')],
  value: record(Archive),
  bound: { by: 'owner', reason: 'at most one per local account' },
});

export const leavingRules: readonly Rule[] = [
  awaits(logins, [Account.selfDeletionDue], { isAwaiting: (_key, { deletesAt }) => deletesAt !== undefined }),
  awaits(archives, [Account.archiveBuilt], {
    isAwaiting: (_key, { readyAt, failedAt }) => readyAt === undefined && failedAt === undefined,
  }),
  awaits(archives, [Account.archiveDue], { isAwaiting: (_key, { readyAt }) => readyAt !== undefined }),
  rule(archives, ([account], _archive, reader) =>
    reader.get(logins, [account]) === undefined ? 'is of an account without a login' : undefined,
  ),
];
