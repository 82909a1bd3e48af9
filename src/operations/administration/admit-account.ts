/** Approves an account that waits for it, or confirms the e-mail address of one. */
import { ownerOfEmail } from '../../actors/directory/directory.queries.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import { decision } from './decision.ts';

export const approveAccount = decision({
  permission: 'manageUsers',
  audit: 'approveAccount',
  change: { approved: true },
  /** Nobody is admitted twice (behaviour of the Mastodon API). */
  check({ login }) {
    if (login.approved) throw new Failure('forbidden');
  },
});

export const confirmAccount = decision({
  permission: 'manageUserAccess',
  audit: 'confirmAccount',
  change: { confirmed: true },
  /** An address that waits for a confirmation may be that of several accounts, or of one that owns it. */
  check({ id, login }, { snapshots }) {
    const owner = ownerOfEmail(snapshots, login.email);
    if (owner !== undefined && owner !== id) throw validationFailure('Another account has this address.');
  },
});
