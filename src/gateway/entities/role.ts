/**
 * The Role and AccountRole entities. There are four roles (specification section 5); their permissions are declared in
 * operations/permissions.ts.
 */
import { z } from 'zod';
import { collectionLimits } from '../../actors/account/collections/limits.ts';
import { type Role, roles } from '../../actors/account/profile/profile.records.ts';
import { permissionBits } from '../../operations/permissions.ts';
import { count, flag, smallId, text } from './values.ts';

export const AccountRoleEntity = z.strictObject({ id: smallId, name: text, color: text });
export type AccountRoleEntity = z.output<typeof AccountRoleEntity>;

export const RoleEntity = AccountRoleEntity.extend({
  /** The bits as a decimal number. */
  permissions: z.string().regex(/^[0-9]+$/),
  highlighted: flag,
  collection_limit: count,
});
export type RoleEntity = z.output<typeof RoleEntity>;

function role(id: string, name: string, permissions: number): RoleEntity {
  return {
    id,
    name,
    color: '',
    permissions: String(permissions),
    highlighted: name !== '',
    collection_limit: collectionLimits.perLocalAccountMax,
  };
}

const roleEntities: Readonly<Record<Role, RoleEntity>> = {
  user: role('0', '', permissionBits('user')),
  moderator: role('1', 'Moderator', permissionBits('moderator')),
  admin: role('2', 'Admin', permissionBits('admin')),
  owner: role('3', 'Owner', permissionBits('owner')),
};

const shownRoles: Readonly<Record<Role, AccountRoleEntity[]>> = {
  user: [],
  moderator: [shownRole(roleEntities.moderator)],
  admin: [shownRole(roleEntities.admin)],
  owner: [shownRole(roleEntities.owner)],
};

function shownRole({ id, name, color }: RoleEntity): AccountRoleEntity {
  return { id, name, color };
}

export function roleEntity(name: Role): RoleEntity {
  return roleEntities[name];
}

/** An id that no role has stands for none. */
export function rolesOfIds(ids: readonly string[]): Role[] {
  return roles.filter((name) => ids.includes(roleEntities[name].id));
}

/** The roles shown on a profile. */
export function accountRoles(name: Role): AccountRoleEntity[] {
  return shownRoles[name];
}
