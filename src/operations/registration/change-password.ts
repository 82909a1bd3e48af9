/**
 * Changes the password of the caller, who must give the current one. Browser sessions and access tokens opened with the
 * old one end before the answer.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { revokeAllAuthorizations } from '../applications/authorizations.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { refuseFields } from '../refused-fields.ts';
import { demandOwnPassword } from '../two-factor/owner-proof.ts';
import { hashPassword } from './passwords.ts';
import { passwordProblems } from './sign-up-problems.ts';

export const changePassword = operation({
  input: z.object({ present: z.string(), wanted: z.string() }),
  permission: 'manageOwnAccount',
  /** A person at an unattended browser must not guess the password. */
  limit: 'signIn',
  /** Throws Failure credentialsInvalid for a wrong current password, and FieldsRefused for an unacceptable new one. */
  async run(context, { present, wanted }): Promise<void> {
    const { caller, services } = context;
    refuseFields({ wanted: passwordProblems(wanted) });
    await demandOwnPassword(context, present);
    const passwordHash = await hashPassword(wanted);
    await services.client.call(Account.changeLogin.to(caller.accountId, { passwordHash }), flowOf(caller));
    await revokeAllAuthorizations(context, {});
  },
});
