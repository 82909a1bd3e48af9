/** The local account that staff or the operator names. */
import { findLocalAccount, type LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { accountIdOfHandle } from '../accounts/handles.ts';

/** By its user name, or by its handle on this server. Throws Failure notFound. */
export function namedAccount(
  { snapshots, addresses }: Pick<Services, 'snapshots' | 'addresses'>,
  name: string,
): LocalAccount {
  const accountId = accountIdOfHandle(snapshots, name, addresses);
  const account = accountId === undefined ? undefined : findLocalAccount(snapshots, accountId);
  if (account === undefined) throw new Failure('notFound', { text: `There is no account ${name.replace(/^@/, '')}.` });
  return account;
}
