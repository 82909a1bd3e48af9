/** Gives a local account another e-mail address, for whoever cannot reach the present one. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { invalid, refuseFields } from '../refused-fields.ts';
import { isEmailAddress } from '../registration/sign-up-problems.ts';
import { accountName, subordinate } from './local-account.ts';

export const changeAccountEmail = operation({
  input: z.object({ account: accountName, email: z.string() }),
  permission: 'manageUserAccess',
  audit: 'changeEmail',
  on: subordinate,
  /**
   * A link goes to the new address, and the present one stays until somebody has followed it (behaviour of Mastodon's pages).
   * Throws Failure notFound, forbidden for an equal or better, validation for the address that it has, and FieldsRefused.
   */
  async run({ caller, services, audit }, { email: typed }, { id, login }): Promise<void> {
    const email = typed.trim();
    refuseFields({ email: isEmailAddress(email) ? [] : [invalid] });
    if (login.email === email) throw validationFailure('The account has this address already.');
    await services.client.call(Account.changeEmail.to(id, { email, audit }), flowOf(caller));
  },
});
