/** Signing in with an e-mail address and a password. */
import { findLocalAccount, type LocalAccount, loginStateOf } from '../../actors/account/profile/logins.queries.ts';
import { accountIdOfEmail } from '../../actors/directory/directory.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { demandActive } from './authenticate.ts';
import { isPasswordOf } from './passwords.ts';

/**
 * Throws Failure credentialsInvalid, the same after the same work whether the address or the password is wrong, or the
 * reason why the account may not sign in: whoever knows the password may hear it.
 */
export async function signIn(
  { snapshots }: Pick<Services, 'snapshots'>,
  email: string,
  password: string,
): Promise<LocalAccount> {
  const accountId = accountIdOfEmail(snapshots, email);
  const account = accountId === undefined ? undefined : findLocalAccount(snapshots, accountId);
  if (!(await isPasswordOf(password, account?.login.passwordHash)) || account === undefined) {
    throw new Failure('credentialsInvalid');
  }
  demandActive(loginStateOf(account));
  return account;
}
