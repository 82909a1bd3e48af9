/** Warns a local account: it gets a notification with the text, and nothing else changes for it. */
import { validationFailure } from '../../runtime/errors.ts';
import { sanction } from './sanction.ts';

export const warnAccount = sanction({
  permission: 'sanctionAccounts',
  audit: 'warnAccount',
  action: 'none',
  isForRemote: false,
  check({ profile }) {
    if (profile.suspendedAt === undefined) return;
    throw validationFailure(`The account ${profile.username} is suspended: it could not read the warning.`);
  },
});
