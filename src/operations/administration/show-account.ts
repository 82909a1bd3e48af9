/** Shows a local account with the state of its login. */
import { z } from 'zod';
import { mailOf } from '../../actors/account/mail/mail.queries.ts';
import type { AccountMail } from '../../actors/account/mail/mail.records.ts';
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { twoFactorOf } from '../../actors/account/two-factor/two-factor.queries.ts';
import { heldRole } from '../../actors/roles.queries.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { namedAccount } from './local-account.ts';

interface ShownAccount extends LocalAccount, Pick<AccountMail, 'refused'> {
  readonly usesTwoFactor: boolean;
  /** The name of its role. */
  readonly role: string;
}

export const showAccount = operation({
  input: z.object({ username: z.string() }),
  permission: 'manageUsers',
  audit: reads,
  run({ services }, { username }): ShownAccount {
    const account = namedAccount(services, username);
    const { refused } = mailOf(services.snapshots, account.id);
    const { builtIn, name } = heldRole(services.snapshots, account.login);
    return {
      ...account,
      refused,
      role: builtIn ?? name,
      usesTwoFactor: twoFactorOf(services.snapshots, account.id) !== undefined,
    };
  },
});
