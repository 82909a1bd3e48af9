/** The local account that staff or the operator names. */
import { findLocalAccount, type LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { nameOfHandle } from '../../actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../actors/directory/directory.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';

/** A leading @ is ignored. Throws Failure notFound. */
export function namedAccount({ snapshots }: Pick<Services, 'snapshots'>, username: string): LocalAccount {
  const name = username.replace(/^@/, '');
  const accountId = accountIdOfName(snapshots, nameOfHandle(name, undefined));
  const account = accountId === undefined ? undefined : findLocalAccount(snapshots, accountId);
  if (account === undefined) throw new Failure('notFound', { text: `There is no account ${name}.` });
  return account;
}
