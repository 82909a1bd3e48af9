/** Signs in with an email address and a password. What fails is in the history of the account; what succeeds is written with its session or token. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import {
  findLocalAccount,
  isBarred,
  type LocalAccount,
  type LoginState,
  loginStateOf,
} from '../../actors/account/profile/logins.queries.ts';
import { accountIdOfEmail } from '../../actors/directory/directory.queries.ts';
import { Failure, isTemporary } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { isPasswordOf } from './passwords.ts';
import { sourceOf } from './sign-in-source.ts';

export const signIn = operation({
  input: z.object({
    email: z.string(),
    password: z.string(),
    userAgent: z.string().optional(),
    /** Also an account that staff have disabled or suspended: the interface shows it nothing but that. */
    admitsBarred: z.boolean().optional(),
  }),
  permission: 'signIn',
  limit: 'signIn',
  /**
   * Throws Failure credentialsInvalid, after the same work for a wrong address and a wrong password, or the reason why
   * the account may not sign in, which is told only to a caller who knows the password.
   */
  async run(context, { email, password, userAgent, admitsBarred = false }): Promise<LocalAccount> {
    const { snapshots } = context.services;
    const accountId = accountIdOfEmail(snapshots, email);
    const account = accountId === undefined ? undefined : findLocalAccount(snapshots, accountId);
    if (!(await isPasswordOf(password, account?.login.passwordHash)) || account === undefined) {
      if (account !== undefined) noteFailure(context, account, userAgent);
      throw new Failure('credentialsInvalid');
    }
    if (!admitsBarred || !isBarred(account)) demandActive(loginStateOf(account));
    return account;
  },
});

/** Not waited for: how long the answer takes must not tell whether there is such an account. */
function noteFailure(context: OperationContext, { id }: LocalAccount, userAgent: string | undefined): void {
  const { caller, services } = context;
  const source = sourceOf(context, 'password', userAgent);
  if (source === undefined) return;
  services.client
    .call(Account.signedIn.to(id, { ...source, succeeded: false }), flowOf(caller))
    .catch((error: unknown) => {
      if (!isTemporary(error))
        services.report({ level: 'warn', message: 'a sign-in that failed could not be recorded', error });
    });
}

/** Throws Failure loginDisabled, loginUnconfirmed or loginPending unless the account may sign in. */
export function demandActive(state: LoginState): void {
  if (state === 'disabled') throw new Failure('loginDisabled');
  if (state === 'unconfirmed') throw new Failure('loginUnconfirmed');
  if (state === 'pending') throw new Failure('loginPending');
}
