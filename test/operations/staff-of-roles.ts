/** For staff.test.ts: roles that staff have added, and what the operations of roles are called with. */
import { Instance, instanceKey } from '../../src/actors/instance/instance.messages.ts';
import { bitsOf, builtInRoles, type RolePermission, rolePermissionNames } from '../../src/actors/policy/roles.ts';
import { addRole } from '../../src/operations/administration/roles.ts';
import { operator } from '../../src/operations/caller.ts';
import { type PermissionName, permissions } from '../../src/operations/permissions.ts';
import type { Person } from '../support/observer.ts';
import type { Callers } from './callers.ts';

/** With the permission of an operation alone, and with all but that. */
export const addedRoles = ['with it', 'without it'] as const;

/** The login of somebody with such a role. */
export function addedRole({ people }: Callers, one: (typeof addedRoles)[number], permission: PermissionName) {
  const declared = permissions[permission];
  const own: readonly RolePermission[] = 'with' in declared ? declared.with : [];
  // Nobody gives what he has not, nor lets a webhook tell it.
  const given = permission === 'manageRoles' || permission === 'manageWebhooks' ? builtInRoles.moderator.bits : 0;
  const others = rolePermissionNames.filter((name) => name !== 'administrate' && !own.includes(name));
  const bits = one === 'with it' ? bitsOf(own.slice(0, 1)) | given : bitsOf(others);
  const content = { name: one, color: '', isHighlighted: false, position: 500, bits, needsTwoFactor: false };
  return people.server.callNow(Instance.addRole.to(instanceKey, content));
}

interface Scene {
  readonly callers: Callers;
  readonly bob: Person;
}

export function roleInputs(scene: () => Scene): Readonly<Record<string, () => unknown>> {
  const context = () => ({ caller: operator, services: scene().callers.services });
  const onRole = async () => ({ roleId: BigInt((await addRole(context(), { name: 'Helpers' })).role.id) });
  return {
    changeRole: () => ({ account: scene().bob.id, role: 'moderator' }),
    demoteAccount: () => ({ account: scene().callers.people.local('mel', {}, { role: 'moderator' }).id }),
    promoteAccount: () => ({ account: scene().bob.id }),
    addRole: () => ({ name: 'Helpers' }),
    editRole: async () => ({ ...(await onRole()), name: 'Keepers' }),
    listRoles: () => ({}),
    removeRole: onRole,
    showRole: onRole,
  };
}
