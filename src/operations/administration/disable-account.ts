/** Prevents a local account from signing in, and ends what is signed in; its posts stay. Or allows it again. */
import { decision } from './decision.ts';

export const disableAccount = decision({
  permission: 'manageUsers',
  audit: 'disableAccount',
  change: { disabled: true },
});

export const enableAccount = decision({
  permission: 'manageUsers',
  audit: 'enableAccount',
  change: { disabled: false },
});
