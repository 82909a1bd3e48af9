/** Shows all media of an account as sensitive, whatever it says itself. Or ends that. */
import { pardon } from './pardon.ts';
import { sanction } from './sanction.ts';

export const markAccountSensitive = sanction({
  permission: 'sanctionAccounts',
  audit: 'markAccountSensitive',
  action: 'sensitive',
  isForRemote: true,
});

export const unmarkAccountSensitive = pardon({
  permission: 'manageUsers',
  audit: 'unmarkAccountSensitive',
  change: { sensitized: false },
});
