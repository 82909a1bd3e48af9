/** Suspends an account: it is hidden from everybody, its streams end, and it cannot sign in. Or ends that. */
import { isSuspendedHere } from '../../actors/policy/suspension.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import { pardon } from './pardon.ts';
import { sanction } from './sanction.ts';

export const suspendAccount = sanction({
  permission: 'sanctionAccounts',
  audit: 'suspendAccount',
  action: 'suspend',
  isForRemote: true,
});

export const unsuspendAccount = pardon({
  permission: 'manageUsers',
  audit: 'unsuspendAccount',
  change: { suspended: false },
  /** Only a suspension by this server, of an account that there still is. */
  check({ profile, login }) {
    const isByOthers = profile.suspendedAt !== undefined && !isSuspendedHere(profile);
    if (isByOthers || profile.deletedRemotelyAt !== undefined) throw new Failure('forbidden');
    if (login !== undefined && profile.dataRemovedAt !== undefined)
      throw validationFailure(`What the account ${profile.username} had left here was removed.`);
  },
});
