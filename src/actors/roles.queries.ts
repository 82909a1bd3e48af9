/** Reads roles. An account has a built-in role, or the id of one that staff have added: what that may do is looked up when
 * it matters, so that a change counts at once for everybody who has it. */
import type { Id } from '../runtime/ids.ts';
import type { Reader } from '../runtime/storage/reader.ts';
import type { Role } from './account/profile/profile.records.ts';
import { instanceKey } from './instance/instance.messages.ts';
import type { RoleContent } from './instance/roles/roles.records.ts';
import { builtInRoles, type HeldRole } from './policy/roles.ts';
import { roles } from './roles.state.ts';

/** As a profile and a login have it. */
export interface RoleReference {
  readonly role: Role;
  readonly roleId?: Id | undefined;
}

/** Where the role is gone: that of a user. */
export function heldRole(reader: Reader, { role, roleId }: RoleReference): HeldRole {
  return (roleId === undefined ? undefined : findRole(reader, roleId)) ?? builtInRoles[role];
}

export function findRole(reader: Reader, roleId: Id): HeldRole | undefined {
  const found = reader.get(roles, [instanceKey, roleId]);
  return found && viewOf(roleId, found);
}

/** Those that staff have added, oldest first. */
export function addedRoles(reader: Reader): HeldRole[] {
  return Array.from(reader.range(roles, [instanceKey]), ({ key, value }) => viewOf(key[1], value));
}

/** All, from the highest position to the lowest. */
export function allRoles(reader: Reader): HeldRole[] {
  return [...Object.values(builtInRoles), ...addedRoles(reader)].sort((one, other) => other.position - one.position);
}

/** By its id, or by its name: of a built-in role that of the command line. */
export function roleNamed(reader: Reader, given: string): HeldRole | undefined {
  const name = given.trim().toLowerCase();
  return allRoles(reader).find((role) => role.id === name || (role.builtIn ?? role.name.toLowerCase()) === name);
}

function viewOf(roleId: Id, { name, color, isHighlighted, position, bits, needsTwoFactor }: RoleContent): HeldRole {
  return { id: roleId.toString(), name, color, isHighlighted, position, bits, needsTwoFactor };
}
