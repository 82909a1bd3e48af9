/** Sets the password of a local account, which ends all its browser sessions and revokes its tokens. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { Session, userKey } from '../../actors/session/session.messages.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { hashPassword } from '../registration/passwords.ts';
import { checkPassword } from './checked-password.ts';
import { accountName, subordinate } from './local-account.ts';

export const resetPassword = operation({
  input: z.object({ account: accountName, password: z.string() }),
  permission: 'manageUserAccess',
  audit: 'resetPassword',
  on: subordinate,
  /** Throws Failure notFound, forbidden for an equal or better, and validation for an unacceptable password. */
  async run({ caller, services, audit }, { password }, { id }): Promise<void> {
    checkPassword(password);
    const passwordHash = await hashPassword(password);
    await services.client.call(Account.changeLogin.to(id, { passwordHash, audit }), flowOf(caller));
    await services.client.call(Session.revokeTokensOfUser.to(userKey(id), {}), flowOf(caller));
  },
});
