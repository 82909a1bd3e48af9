/** Limits an account: it is shown only to its followers and to whoever looks for it. Or ends that. */
import { pardon } from './pardon.ts';
import { sanction } from './sanction.ts';

export const limitAccount = sanction({
  permission: 'sanctionAccounts',
  audit: 'limitAccount',
  action: 'silence',
  isForRemote: true,
});

export const unlimitAccount = pardon({
  permission: 'manageUsers',
  audit: 'unlimitAccount',
  change: { limited: false },
});
