/** Asks the server of an account for its profile again, where what is shown here is said to be old or wrong. */

import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { accountName, sanctionable } from './local-account.ts';

export const refetchAccount = operation({
  input: z.object({ account: accountName }),
  permission: 'manageFederation',
  audit: { nothing: 'it only asks what a profile may be asked for at any time' },
  on: sanctionable,
  /** The answer comes later. Throws Failure notFound, and validation for a local or suspended account. */
  async run({ caller, services }, _given, { id, profile }): Promise<void> {
    if (profile.remote === undefined || profile.suspendedAt !== undefined)
      throw validationFailure('Only an account of another server that is not suspended can be fetched again.');
    await services.client.call(Account.refresh.to(id, { ageMilliseconds: 0 }), flowOf(caller));
  },
});
