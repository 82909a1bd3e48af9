/** Suspends a local account: it is hidden from everybody, its streams end, and it cannot sign in. Or ends that. */
import { decision } from './decision.ts';

export const suspendAccount = decision({
  permission: 'sanctionAccounts',
  audit: 'suspendAccount',
  change: { suspended: true },
});

export const unsuspendAccount = decision({
  permission: 'manageUsers',
  audit: 'unsuspendAccount',
  change: { suspended: false },
});
