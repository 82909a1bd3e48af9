/**
 * Gives a local account another role: a lower one than the caller's, or that of an admin by an admin (specification section
 * 5). The only owner stays one, also for the operator: a server without an owner would have nobody who may appoint one but
 * the command line.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { Role } from '../../actors/account/profile/profile.records.ts';
import { ownersOf } from '../../actors/account/profile/staff.queries.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { type Caller, flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { demandHigherRole, roleOf } from '../permissions.ts';
import { accountName, subordinate } from './local-account.ts';

export const changeRole = operation({
  input: z.object({ account: accountName, role: Role }),
  permission: 'manageRoles',
  audit: 'changeRole',
  on: subordinate,
  /** Throws Failure notFound, forbidden for an equal or better, and validation for the only owner. */
  async run({ caller, services, audit }, { role }, account): Promise<void> {
    demandGivable(caller, role, services);
    if (role !== 'owner') demandOtherOwner(services, account);
    await services.client.call(Account.changeLogin.to(account.id, { role, audit }), flowOf(caller));
  },
});

function demandGivable(caller: Caller, role: Role, services: Services): void {
  const isAdminByAdmin = role === 'admin' && roleOf(caller, services) === 'admin';
  if (!isAdminByAdmin) demandHigherRole(caller, role, services);
}

function demandOtherOwner({ snapshots }: Services, { id, login, profile }: LocalAccount): void {
  if (login.role !== 'owner' || ownersOf(snapshots).some((ownerId) => ownerId !== id)) return;
  throw validationFailure(`${profile.username} is the only owner: give another account that role first.`);
}
