/**
 * A new password for the caller, who knows the present one. It ends every session that was opened with the old one: the
 * browsers' at once, and the tokens of applications.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { Session, userKey } from '../../actors/session/session.messages.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { refuseFields } from '../refused-fields.ts';
import { hashPassword, isPasswordOf } from './passwords.ts';
import { passwordProblems } from './sign-up-problems.ts';

export const changePassword = operation({
  input: z.object({ present: z.string(), wanted: z.string() }),
  permission: 'manageOwnAccount',
  /** Whoever found a browser open must not guess. */
  limit: 'signIn',
  /** Throws Failure credentialsInvalid for a wrong present password, and FieldsRefused for a new one that is none. */
  async run({ caller, services }, { present, wanted }): Promise<void> {
    refuseFields({ wanted: passwordProblems(wanted) });
    const login = findLogin(services.snapshots, caller.accountId);
    if (!(await isPasswordOf(present, login?.passwordHash))) throw new Failure('credentialsInvalid');
    const passwordHash = await hashPassword(wanted);
    await services.client.call(Account.changeLogin.to(caller.accountId, { passwordHash }), flowOf(caller));
    await services.client.call(Session.revokeTokensOfUser.to(userKey(caller.accountId), {}), flowOf(caller));
  },
});
