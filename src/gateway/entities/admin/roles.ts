/** The Admin::Role entity, our own: a role as staff change it. */
import { z } from 'zod';
import { permissionsOf, rolePermissions } from '../../../actors/policy/roles.ts';
import type { ListedRole } from '../../../operations/administration/roles.ts';
import { RoleEntity, roleEntity } from '../role.ts';
import { count, flag, text } from '../values.ts';

export const AdminRoleEntity = RoleEntity.extend({
  position: z.int(),
  /** The names of the permissions that are its own, without those that everybody has. */
  permission_names: z.array(text),
  two_factor_required: flag,
  built_in: flag,
  /** How many accounts have it; null for ordinary users. */
  accounts_count: count.nullable(),
}).meta({ id: 'Admin.Role' });

export function adminRoleEntity({ role, holders }: ListedRole): z.output<typeof AdminRoleEntity> {
  return {
    ...roleEntity(role),
    position: role.position,
    permission_names: permissionsOf(role).map((one) => rolePermissions[one].name),
    two_factor_required: role.needsTwoFactor,
    built_in: role.builtIn !== undefined,
    accounts_count: holders ?? null,
  };
}
