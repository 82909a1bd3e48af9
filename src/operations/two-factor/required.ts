/** Roles that need two-factor authentication. */
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { twoFactorOf } from '../../actors/account/two-factor/two-factor.queries.ts';
import { builtInRoles } from '../../actors/policy/roles.ts';
import { heldRole } from '../../actors/roles.queries.ts';
import type { Services } from '../../services/services.ts';

/** Whether the account has to set it up before it may use anything else. */
export function lacksTwoFactor(
  { options, snapshots }: Pick<Services, 'options' | 'snapshots'>,
  { id, login }: LocalAccount,
): boolean {
  const { twoFactorFrom: from } = options;
  // Most servers ask nobody, and most accounts have no role of their own.
  if (from === 'nobody' && login.roleId === undefined) return false;
  const role = heldRole(snapshots, login);
  const isFrom = from !== 'nobody' && role.position >= builtInRoles[from].position;
  if (!isFrom && !role.needsTwoFactor) return false;
  return twoFactorOf(snapshots, id) === undefined;
}
