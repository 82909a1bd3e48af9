/** Approves an account that waits for it, or confirms the e-mail address of one. */
import { decision } from './decision.ts';

export const approveAccount = decision({
  permission: 'manageUsers',
  audit: 'approveAccount',
  change: { approved: true },
});

export const confirmAccount = decision({
  permission: 'manageUserAccess',
  audit: 'confirmAccount',
  change: { confirmed: true },
});
