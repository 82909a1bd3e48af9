/** Addresses are confirmed by a link in a mail before they count. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { staffNotifiedOf } from '../../actors/account/profile/staff.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { mailTokenKey, readMailToken } from '../../services/mail-tokens.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { invalid, refuseFields } from '../refused-fields.ts';
import { demandOwnPassword } from '../two-factor/owner-proof.ts';
import { isEmailAddress } from './sign-up-problems.ts';

export const confirmEmail = operation({
  input: z.object({ token: z.string() }),
  permission: 'signIn',
  limit: 'signIn',
  /** Throws Failure forbidden: linkExpired, or emailInUse where another account owns the address by now. */
  async run({ caller, services }, { token }): Promise<{ readonly accountId: Id }> {
    const read = readMailToken(mailTokenKey(await secretsOf(services)), 'confirm an address', token);
    if (read === undefined || findLogin(services.snapshots, read.accountId) === undefined)
      throw new Failure('forbidden', { reason: 'linkExpired' });
    const { accountId, requestId } = read;
    const staffIds = staffNotifiedOf(services.snapshots, 'admin.sign_up');
    try {
      const confirmed = await services.client.call(
        Account.confirmEmail.to(accountId, { requestId, staffIds }),
        flowOf(caller),
      );
      if ('taken' in confirmed) throw new Failure('forbidden', { reason: 'emailInUse' });
      return { accountId };
    } catch (error) {
      const hasReason = error instanceof Failure && error.code === 'forbidden' && error.reason === undefined;
      throw hasReason ? new Failure('forbidden', { reason: 'linkExpired' }) : error;
    }
  },
});

export const resendConfirmation = operation({
  input: z.object({}),
  permission: 'manageOwnAccount',
  limit: 'mailRequests',
  /** Throws Failure forbidden where no address waits for a confirmation. */
  async run({ caller, services }): Promise<void> {
    await services.client.call(Account.requestConfirmation.to(caller.accountId, {}), flowOf(caller));
  },
});

export const changeEmail = operation({
  input: z.object({ email: z.string(), password: z.string() }),
  permission: 'manageOwnAccount',
  limit: 'mailRequests',
  /**
   * The present address stays until the new one is confirmed; whether another account has it is told to nobody but who
   * confirms it. Throws Failure credentialsInvalid for a wrong password, and FieldsRefused.
   */
  async run(context, { email, password }): Promise<void> {
    const { caller, services } = context;
    refuseFields({ email: isEmailAddress(email) ? [] : [invalid] });
    await demandOwnPassword(context, password);
    await services.client.call(Account.changeEmail.to(caller.accountId, { email: email.trim() }), flowOf(caller));
  },
});
