/** The Admin::Account entity: an account with the state of its login. */

import { z } from 'zod';
import { findLogin } from '../../../actors/account/profile/logins.queries.ts';
import type { Login } from '../../../actors/account/profile/profile.records.ts';
import type { AccountView } from '../../../actors/account/profile/profiles.queries.ts';
import { addressesOf, formerEmailsOf } from '../../../actors/account/sign-ins/sign-ins.queries.ts';
import { countingRole } from '../../../actors/instance/roles/roles.queries.ts';
import type { HeldRole } from '../../../actors/policy/roles.ts';
import type { Services } from '../../../services/services.ts';
import { AccountEntity, accountEntity } from '../account.ts';
import { RoleEntity, roleEntity } from '../role.ts';
import { flag, id, text, time, timestamp } from '../values.ts';

const AdminFormerEmailEntity = z.strictObject({ email: text, changed_at: time }).meta({ id: 'Admin.FormerEmail' });

const AdminIpEntity = z.strictObject({ ip: text, used_at: time }).meta({ id: 'Admin.Ip' });

/** What belongs to a login is null for accounts of other servers. */
export const AdminAccountEntity = z
  .strictObject({
    id,
    username: text,
    domain: text.nullable(),
    created_at: time,
    email: text.nullable(),
    /** From which it was used last. */
    ip: text.nullable(),
    ips: z.array(AdminIpEntity),
    locale: text.nullable(),
    invite_request: text.nullable(),
    role: RoleEntity.nullable(),
    confirmed: flag.nullable(),
    approved: flag.nullable(),
    disabled: flag.nullable(),
    sensitized: flag,
    silenced: flag,
    suspended: flag,
    account: AccountEntity,
    created_by_application_id: id.optional(),
    invited_by_account_id: id.optional(),
    /** Not part of the Mastodon API: the e-mail addresses it had before, latest first. */
    former_emails: z.array(AdminFormerEmailEntity),
  })
  .meta({ id: 'Admin.Account' });
export type AdminAccountEntity = z.output<typeof AdminAccountEntity>;

type Reading = Pick<Services, 'snapshots' | 'addresses'>;

/** For the accounts of one answer: their roles, of which there are few, are read once. */
export function adminAccountEntities(services: Reading): (view: AccountView) => AdminAccountEntity {
  const roles = new Map<string, HeldRole>();
  const roleOf = (login: Login) => {
    const name = `${login.role} ${login.roleId ?? ''}`;
    const role = roles.get(name) ?? countingRole(services.snapshots, login);
    roles.set(name, role);
    return role;
  };
  return (view) => entityOf(view, services, roleOf);
}

export function adminAccountEntity(view: AccountView, services: Reading): AdminAccountEntity {
  return entityOf(view, services, (login) => countingRole(services.snapshots, login));
}

function entityOf(
  view: AccountView,
  { snapshots, addresses }: Reading,
  roleOf: (login: Login) => HeldRole,
): AdminAccountEntity {
  const { profile } = view;
  const login = findLogin(snapshots, profile.id);
  const used = login === undefined ? [] : addressesOf(snapshots, profile.id);
  const inviterId = login?.invitation?.creatorId;
  const former = login === undefined ? [] : formerEmailsOf(snapshots, profile.id);
  return {
    id: profile.id.toString(),
    username: profile.username,
    domain: profile.domain ?? null,
    created_at: timestamp(login?.createdAt ?? profile.createdAt),
    email: login?.email ?? null,
    ip: used[0]?.address ?? null,
    ips: used.map(({ address: ip, usedAt }) => ({ ip, used_at: timestamp(usedAt) })),
    locale: login?.locale ?? null,
    invite_request: login?.reason ?? null,
    role: login === undefined ? null : roleEntity(roleOf(login)),
    confirmed: login?.confirmed ?? null,
    approved: login?.approved ?? null,
    disabled: login?.disabled ?? null,
    sensitized: profile.sensitized === true,
    silenced: profile.limited,
    suspended: profile.suspendedAt !== undefined,
    account: accountEntity(view, addresses),
    ...(login?.applicationId !== undefined && { created_by_application_id: login.applicationId.toString() }),
    ...(inviterId !== undefined && { invited_by_account_id: inviterId.toString() }),
    former_emails: former.map(({ email, at }) => ({ email, changed_at: timestamp(at) })),
  };
}
