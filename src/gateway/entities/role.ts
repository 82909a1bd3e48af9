/**
 * The Role and AccountRole entities. There are three roles (specification section 5); what they may do is declared in
 * operations/permissions.ts.
 */
import type { Role } from '../../actors/account/profile/profile.records.ts';
import { permissionBits } from '../../operations/permissions.ts';

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
  user: role('0', '', permissionBits('user')),
  moderator: role('1', 'Moderator', permissionBits('moderator')),
  admin: role('2', 'Admin', permissionBits('admin')),
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
