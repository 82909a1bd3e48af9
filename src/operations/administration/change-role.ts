/**
 * Gives a local account another role: a lower one than the caller's, or that of an admin by an admin (specification section
 * 5). The only owner stays one, also for the operator: a server without an owner would have nobody who may appoint one but
 * the command line.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { ownersOf } from '../../actors/account/profile/staff.queries.ts';
import type { HeldRole } from '../../actors/policy/roles.ts';
import { heldRole, roleNamed } from '../../actors/roles.queries.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { hasAll, hasHigherRole, roleOf } from '../permissions.ts';
import { accountName, subordinate } from './local-account.ts';

/** The id or the name of a role. */
export const roleName = z.string();

export const changeRole = operation({
  input: z.object({ account: accountName, role: roleName }),
  permission: 'manageRoles',
  audit: 'changeRole',
  on: subordinate,
  /** Throws Failure notFound, forbidden for an equal or better, and validation for the only owner and an unknown role. */
  async run({ caller, services, audit }, { role: given }, account): Promise<void> {
    const role = knownRole(services, given);
    if (!mayGive({ caller, services }, role)) throw new Failure('forbidden');
    if (role.builtIn !== 'owner') demandOtherOwner(services, account);
    const roleNames = { before: wordOf(heldRole(services.snapshots, account.login)), after: wordOf(role) };
    const message = Account.changeLogin.to(account.id, { ...storedRole(role), roleNames, audit });
    await services.client.call(message, flowOf(caller));
  },
});

/** Throws Failure validation. */
export function knownRole({ snapshots }: Pick<Services, 'snapshots'>, given: string): HeldRole {
  const role = roleNamed(snapshots, given);
  if (role === undefined) throw validationFailure(`There is no role ${given}`);
  return role;
}

/** Whether it may be given to whoever has a lower role. */
export function mayGive({ caller, services }: OperationContext, role: HeldRole): boolean {
  const isAdminByAdmin = role.builtIn === 'admin' && roleOf(caller, services)?.builtIn === 'admin';
  return (isAdminByAdmin || hasHigherRole(caller, role, services)) && hasAll(caller, role, services);
}

export function storedRole({ builtIn, id }: HeldRole) {
  return builtIn === undefined ? ({ role: 'user', roleId: BigInt(id) } as const) : ({ role: builtIn } as const);
}

function wordOf({ builtIn, name }: HeldRole): string {
  return builtIn ?? name;
}

function demandOtherOwner({ snapshots }: Services, { id, login, profile }: LocalAccount): void {
  if (login.role !== 'owner' || ownersOf(snapshots).some((ownerId) => ownerId !== id)) return;
  throw validationFailure(`${profile.username} is the only owner: give another account that role first.`);
}
