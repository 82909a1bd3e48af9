/**
 * The Role and AccountRole entities. There are three roles (specification section 5); their permissions are the bits of
 * the Mastodon API: a moderator may see the dashboard and the audit log and manage users, reports and taxonomies, an
 * admin everything but the operation of the machine.
 */
import type { Role } from '../../actors/account/profile/profile.records.ts';

export interface AccountRoleEntity {
  id: string;
  name: string;
  color: string;
}

export interface RoleEntity extends AccountRoleEntity {
  permissions: string;
  highlighted: boolean;
  collection_limit: number;
}

const allPermissions = 0x1fffff;
const operateMachine = 0x2;
const moderatorPermissions = 0x4 | 0x8 | 0x10 | 0x100 | 0x400;

function role(id: string, name: string, permissions: number): RoleEntity {
  return {
    id,
    name,
    color: '',
    permissions: String(permissions),
    highlighted: permissions !== 0,
    collection_limit: 0,
  };
}

const roleEntities: Readonly<Record<Role, RoleEntity>> = {
  user: role('0', '', 0),
  moderator: role('1', 'Moderator', moderatorPermissions),
  admin: role('2', 'Admin', allPermissions & ~operateMachine),
};

const shownRoles: Readonly<Record<Role, readonly AccountRoleEntity[]>> = {
  user: [],
  moderator: [shownRole(roleEntities.moderator)],
  admin: [shownRole(roleEntities.admin)],
};

function shownRole({ id, name, color }: RoleEntity): AccountRoleEntity {
  return { id, name, color };
}

export function roleEntity(name: Role): RoleEntity {
  return roleEntities[name];
}

/** The roles shown on a profile. */
export function accountRoles(name: Role): readonly AccountRoleEntity[] {
  return shownRoles[name];
}
