/** A new password by mail: for whoever cannot sign in, and has the mail of the account. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { accountIdOfEmail } from '../../actors/directory/directory.queries.ts';
import { Session, userKey } from '../../actors/session/session.messages.ts';
import { Failure, isTemporary } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { mailTokenKey, readMailToken } from '../../services/mail-tokens.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { refuseFields } from '../refused-fields.ts';
import { hashPassword } from './passwords.ts';
import { passwordProblems } from './sign-up-problems.ts';

export const requestPasswordReset = operation({
  input: z.object({ email: z.string() }),
  permission: 'signIn',
  limit: 'mailRequests',
  /**
   * Sends a link to the address, if an account has it. Neither the answer nor its time tells whether one has: nothing is
   * waited for. Throws nothing.
   */
  async run({ caller, services }, { email }): Promise<void> {
    const accountId = accountIdOfEmail(services.snapshots, email);
    if (accountId === undefined) return;
    services.client.call(Account.requestPasswordReset.to(accountId, {}), flowOf(caller)).catch((error: unknown) => {
      const level = isTemporary(error) ? 'warn' : 'error';
      services.report({ level, message: 'a new password was asked for, and could not be sent', error });
    });
  },
});

export const resetPasswordByMail = operation({
  input: z.object({ token: z.string(), wanted: z.string() }),
  permission: 'signIn',
  limit: 'signIn',
  /**
   * Browser sessions and access tokens opened with the old password end before the answer. Throws Failure forbidden
   * (linkExpired) for a link that does not hold any more, and FieldsRefused for an unacceptable password.
   */
  async run({ caller, services }, { token, wanted }): Promise<{ accountId: Id }> {
    refuseFields({ wanted: passwordProblems(wanted) });
    const read = readMailToken(mailTokenKey(await secretsOf(services)), 'set a new password', token);
    if (read === undefined || findLogin(services.snapshots, read.accountId) === undefined) throw linkExpired();
    const { accountId, requestId } = read;
    const passwordHash = await hashPassword(wanted);
    try {
      await services.client.call(Account.resetPassword.to(accountId, { requestId, passwordHash }), flowOf(caller));
    } catch (error) {
      throw error instanceof Failure && error.code === 'forbidden' ? linkExpired() : error;
    }
    await services.client.call(Session.revokeTokensOfUser.to(userKey(accountId), {}), flowOf(caller));
    return { accountId };
  },
});

function linkExpired(): Failure {
  return new Failure('forbidden', { reason: 'linkExpired' });
}
