/** The keyspace of rules by which accounts delete their posts. */
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { awaits, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { owner } from '../account.state.ts';
import { logins } from '../profile/profile.state.ts';
import { Cleanup } from './cleanup.records.ts';

export const cleanups = keyspace<[bigint], Cleanup>({
  number: 182,
  name: 'cleanup policies',
  owner,
  sparse: true,
  key: [id('account')],
  value: record(Cleanup),
  bound: { by: 'owner', reason: 'at most one per local account' },
});

export const cleanupRules: readonly Rule[] = [
  awaits(cleanups, [Account.cleanupDue, Account.cleanupDone]),
  rule(cleanups, ([account], _cleanup, reader) =>
    reader.get(logins, [account]) === undefined ? 'is of an account without a login' : undefined,
  ),
];
