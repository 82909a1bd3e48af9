/** Prevents a local account from signing in, and ends what is signed in; its posts stay. Or allows it again. */
import { demandLocal, pardon } from './pardon.ts';
import { sanction } from './sanction.ts';

export const disableAccount = sanction({
  permission: 'manageUsers',
  audit: 'disableAccount',
  action: 'disable',
  isForRemote: false,
});

export const enableAccount = pardon({
  permission: 'manageUsers',
  audit: 'enableAccount',
  change: { disabled: false },
  check: demandLocal,
});
