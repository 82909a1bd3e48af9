/** Changes the login of a local account. A new password ends all browser sessions and revokes all tokens. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import type { ChangeLogin } from '../../actors/account/profile/profile.messages.ts';
import { Role } from '../../actors/account/profile/profile.records.ts';
import { Session, userKey } from '../../actors/session/session.messages.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { hashPassword } from '../registration/passwords.ts';
import { checkPassword } from './checked-password.ts';
import { namedAccount } from './local-account.ts';

export const modifyAccount = operation({
  input: z.object({
    username: z.string(),
    password: z.string().optional(),
    role: Role.optional(),
    confirmed: z.literal(true).optional(),
    approved: z.literal(true).optional(),
    suspended: z.boolean().optional(),
    disabled: z.boolean().optional(),
  }),
  permission: 'manageRoles',
  async run({ caller, services }, { username, password, role, ...states }): Promise<void> {
    const { id } = namedAccount(services, username);
    if (password !== undefined) checkPassword(password);
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    const changes: z.infer<typeof ChangeLogin> = { role, ...states, passwordHash };
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new Failure('validation', { text: 'Nothing was asked to be changed.' });
    }
    await services.client.call(Account.changeLogin.to(id, changes), flowOf(caller));
    if (password !== undefined)
      await services.client.call(Session.revokeTokensOfUser.to(userKey(id), {}), flowOf(caller));
  },
});
