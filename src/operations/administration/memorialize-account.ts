/**
 * Makes the profile of somebody who has died a place to remember them: nobody signs in any more, and pages, apps and other
 * servers show what it is. Enabling the account takes it back.
 */
import { validationFailure } from '../../runtime/errors.ts';
import { decision } from './decision.ts';

export const memorializeAccount = decision({
  permission: 'deleteUserData',
  audit: 'memorializeAccount',
  change: { memorial: true, disabled: true },
  check({ profile }) {
    if (profile.memorial) throw validationFailure('The account is kept in memory already.');
    if (profile.suspendedAt !== undefined) throw validationFailure('The account is suspended.');
  },
});
