/** Roles that need two-factor authentication. */
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { roles } from '../../actors/account/profile/profile.records.ts';
import { twoFactorOf } from '../../actors/account/two-factor/two-factor.queries.ts';
import type { Services } from '../../services/services.ts';

/** Whether the account has to set it up before it may use anything else. */
export function lacksTwoFactor(
  { options, snapshots }: Pick<Services, 'options' | 'snapshots'>,
  { id, login }: LocalAccount,
): boolean {
  const { twoFactorFrom: from } = options;
  if (from === 'nobody' || roles.indexOf(login.role) < roles.indexOf(from)) return false;
  return twoFactorOf(snapshots, id) === undefined;
}
