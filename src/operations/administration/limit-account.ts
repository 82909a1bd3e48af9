/** Limits a local account: it is shown only to its followers and to whoever looks for it. Or ends that. */
import { decision } from './decision.ts';

export const limitAccount = decision({
  permission: 'sanctionAccounts',
  audit: 'limitAccount',
  change: { limited: true },
});

export const unlimitAccount = decision({
  permission: 'manageUsers',
  audit: 'unlimitAccount',
  change: { limited: false },
});
