/** The keyspace of an account's mail: one record for each local account that has anything to remember. */
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { awaits, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { owner } from '../account.state.ts';
import { logins } from '../profile/profile.state.ts';
import { AccountMail } from './mail.records.ts';

export const accountMails = keyspace<[bigint], AccountMail>({
  number: 233,
  name: 'mail of account',
  owner,
  sparse: true,
  key: [id('account')],
  value: record(AccountMail),
  bound: { by: 'owner', reason: 'one per local account' },
});

export const mailRules: readonly Rule[] = [
  rule(accountMails, ([account], _mail, reader) =>
    reader.get(logins, [account]) === undefined ? 'is of an account without a login' : undefined,
  ),
  awaits(accountMails, [Account.notificationMailsDue], {
    isAwaiting: (_key, { notifying }) => notifying !== undefined,
  }),
];
