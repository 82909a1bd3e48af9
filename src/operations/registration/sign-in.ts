/**
 * Signs in with an email address and a password; where two-factor authentication is on, that is the first of two steps. What
 * fails is in the history of the account; what succeeds is written with its session or token.
 */
import { z } from 'zod';
import {
  findLocalAccount,
  isBarred,
  type LocalAccount,
  type LoginState,
  loginStateOf,
  passwordMarkOf,
} from '../../actors/account/profile/logins.queries.ts';
import { twoFactorOf } from '../../actors/account/two-factor/two-factor.queries.ts';
import { nameOfEmail } from '../../actors/directory/directory.messages.ts';
import { accountIdOfEmail } from '../../actors/directory/directory.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { makeTicket, ticketKey } from '../../services/sign-in-tickets.ts';
import { operation } from '../operation.ts';
import { Attempt, deviceOf, noteFailure } from './attempts.ts';
import { isPasswordOf } from './passwords.ts';

export type SignIn =
  | { readonly kind: 'done'; readonly account: LocalAccount }
  /** The password was right, and a code is missing; `ticket` is for `passSecondStep`. */
  | { readonly kind: 'secondStep'; readonly ticket: string };

export const signIn = operation({
  input: Attempt.extend({
    email: z.string(),
    password: z.string(),
    /** Also an account that staff have disabled or suspended: the interface shows it nothing but that. */
    admitsBarred: z.boolean().optional(),
  }),
  permission: 'signIn',
  limit: 'signIn',
  /**
   * Throws Failure credentialsInvalid, after the same work for a wrong address and a wrong password, or the reason why
   * the account may not sign in, which is told only to a caller who knows the password.
   */
  async run(context, wish): Promise<SignIn> {
    const { email, password, browser = '', devices, userAgent, admitsBarred = false } = wish;
    const { caller, services } = context;
    const { snapshots } = services;
    const accountId = accountIdOfEmail(snapshots, email);
    const device = accountId === undefined ? undefined : await deviceOf(services, accountId, devices);
    // By the address as given, so that the limit does not tell whether an account has it.
    caller.limits.takeFor('signInOfAccount', device?.deviceId ?? nameOfEmail(email));
    const account = accountId === undefined ? undefined : findLocalAccount(snapshots, accountId);
    if (!(await isPasswordOf(password, account?.login.passwordHash)) || account === undefined) {
      if (account !== undefined) noteFailure(context, account.id, 'password', userAgent);
      throw new Failure('credentialsInvalid');
    }
    if (!admitsBarred || !isBarred(account)) demandActive(loginStateOf(account));
    if (twoFactorOf(snapshots, account.id) === undefined) return { kind: 'done', account };
    const binding = { accountId: account.id, passwordMark: passwordMarkOf(account.login), browser };
    return { kind: 'secondStep', ticket: makeTicket(ticketKey(await secretsOf(services)), binding, services.now()) };
  },
});

/** Throws Failure loginDisabled, loginUnconfirmed or loginPending unless the account may be used. */
export function demandActive(state: LoginState): void {
  if (state === 'disabled') throw new Failure('loginDisabled');
  if (state === 'leaving') throw new Failure('loginDisabled', { reason: 'accountLeaves' });
  if (state === 'unconfirmed') throw new Failure('loginUnconfirmed');
  if (state === 'pending') throw new Failure('loginPending');
}
