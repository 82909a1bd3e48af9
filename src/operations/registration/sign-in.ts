/** Signs in with an email address and a password. */
import { z } from 'zod';
import {
  findLocalAccount,
  type LocalAccount,
  type LoginState,
  loginStateOf,
} from '../../actors/account/profile/logins.queries.ts';
import { accountIdOfEmail } from '../../actors/directory/directory.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { operation } from '../operation.ts';
import { isPasswordOf } from './passwords.ts';

export const signIn = operation({
  input: z.object({ email: z.string(), password: z.string() }),
  permission: 'signIn',
  limit: 'signIn',
  /**
   * Throws Failure credentialsInvalid, after the same work for a wrong address and a wrong password, or the reason why
   * the account may not sign in, which is told only to a caller who knows the password.
   */
  async run({ services: { snapshots } }, { email, password }): Promise<LocalAccount> {
    const accountId = accountIdOfEmail(snapshots, email);
    const account = accountId === undefined ? undefined : findLocalAccount(snapshots, accountId);
    if (!(await isPasswordOf(password, account?.login.passwordHash)) || account === undefined) {
      throw new Failure('credentialsInvalid');
    }
    demandActive(loginStateOf(account));
    return account;
  },
});

/** Throws Failure loginDisabled, loginUnconfirmed or loginPending unless the account may sign in. */
export function demandActive(state: LoginState): void {
  if (state === 'disabled') throw new Failure('loginDisabled');
  if (state === 'unconfirmed') throw new Failure('loginUnconfirmed');
  if (state === 'pending') throw new Failure('loginPending');
}
