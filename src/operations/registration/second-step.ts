/**
 * The second step of signing in, with a code or a passkey; and a passkey alone, which is both steps at once. Whom staff have
 * barred may sign in: the interface shows it nothing but that.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import {
  findLocalAccount,
  isBarred,
  type LocalAccount,
  loginStateOf,
  passwordMarkOf,
} from '../../actors/account/profile/logins.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import { accountOfTicket, isTicketOf, ticketKey } from '../../services/sign-in-tickets.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { findCode, usedBefore } from '../two-factor/codes.ts';
import { readProof } from '../two-factor/passkeys.ts';
import { Attempt, deviceOf, noteFailure } from './attempts.ts';
import { demandActive } from './sign-in.ts';

export const passSecondStep = operation({
  /** `passkey`: what it has signed, in place of a code. */
  input: Attempt.extend({ ticket: z.string(), code: z.string(), passkey: z.string().optional() }),
  permission: 'signIn',
  limit: 'signIn',
  /**
   * Throws Failure signInExpired for a ticket that does not hold any more, and codeInvalid for a wrong code and for one that
   * was used before.
   */
  async run(context, { ticket, code, passkey, browser = '', devices, userAgent }): Promise<LocalAccount> {
    const { caller, services } = context;
    const account = await accountOfStep(services, ticket, browser);
    if (account === undefined) throw new Failure('signInExpired');
    if (!isBarred(account)) demandActive(loginStateOf(account));
    const { id: accountId } = account;
    const device = await deviceOf(services, accountId, devices);
    const counted = device?.level === 'twoFactor' ? device.deviceId : String(accountId);
    caller.limits.takeFor('twoFactor', counted);
    caller.limits.takeFor('twoFactorOfDay', counted);
    const found =
      passkey === undefined
        ? await findCode(services, accountId, code)
        : (await readProof(services, { purpose: 'second step', browser, accountId }, passkey))?.code;
    if (found === undefined) {
      noteFailure(context, accountId, 'secondFactor', userAgent);
      await services.client.call(Account.twoFactorFailed.to(accountId, {}), flowOf(caller));
      throw new Failure('codeInvalid');
    }
    await services.client
      .call(Account.useTwoFactorCode.to(accountId, { code: found }), flowOf(caller))
      .catch(usedBefore);
    return account;
  },
});

/** The passkey says whose it is, and its user has shown the device a PIN, a finger or a face: that is two factors. */
export const signInWithPasskey = operation({
  input: Attempt.extend({ passkey: z.string() }),
  permission: 'signIn',
  limit: 'signIn',
  /** Throws Failure passkeyRefused, the same for everything that is wrong, and the reason why the account may not sign in. */
  async run({ caller, services }, { passkey, browser = '' }): Promise<LocalAccount> {
    const binding = { purpose: 'sign in', browser, accountId: undefined } as const;
    const proved = browser === '' ? undefined : await readProof(services, binding, passkey);
    const account = proved && findLocalAccount(services.snapshots, proved.accountId);
    if (proved === undefined || account === undefined) throw new Failure('passkeyRefused');
    if (!isBarred(account)) demandActive(loginStateOf(account));
    const message = Account.useTwoFactorCode.to(account.id, { code: proved.code });
    await services.client.call(message, flowOf(caller)).catch((error: unknown) => {
      throw error instanceof Failure && error.code === 'forbidden' ? new Failure('passkeyRefused') : error;
    });
    return account;
  },
});

/** Whose ticket it is; undefined where it does not hold any more. */
export async function accountOfStep(
  services: Services,
  ticket: string,
  browser: string,
): Promise<LocalAccount | undefined> {
  const accountId = accountOfTicket(ticket);
  const account = accountId === undefined ? undefined : findLocalAccount(services.snapshots, accountId);
  if (account === undefined || browser === '') return undefined;
  const binding = { accountId: account.id, passwordMark: passwordMarkOf(account.login), browser };
  const key = ticketKey(await secretsOf(services));
  return isTicketOf(key, binding, ticket, services.now()) ? account : undefined;
}
