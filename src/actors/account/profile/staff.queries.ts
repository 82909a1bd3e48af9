/** Finds the staff to notify of an event. Each partition lists those among its accounts with a role of their own. */
import type { Id } from '../../../runtime/ids.ts';
import type { ServerReader } from '../../../runtime/storage/reader.ts';
import { builtInRoles, grants, type HeldRole, type RolePermission } from '../../policy/roles.ts';
import { concerned, type StaffNotification } from '../../policy/staff.ts';
import { addedRoles } from '../../roles.queries.ts';
import { findLocalAccount, loginStateOf } from './logins.queries.ts';
import { holdersOfRoles, staff } from './profile.state.ts';

/** One turn tells all of them. */
const staffToldMax = 200;

/** More than any server has. */
const holdersMax = 10_000;

export function staffNotifiedOf(snapshots: ServerReader, type: StaffNotification): Id[] {
  return staffWith(snapshots, concerned[type]);
}

/** The staff who hold a permission, in no particular order. */
export function staffWith(snapshots: ServerReader, permission: RolePermission): Id[] {
  const ofAdded = addedRoles(snapshots).filter((role) => grants(role, permission));
  const ofBuiltIn = Object.values(builtInRoles).filter((role) => grants(role, permission));
  return [...ofBuiltIn, ...ofAdded].flatMap((role) => holdersOf(snapshots, role, staffToldMax)).slice(0, staffToldMax);
}

/** At most so many of each partition. Ordinary users are not listed. */
export function holdersOf({ partitions }: ServerReader, role: HeldRole, limit = holdersMax): Id[] {
  if (role.builtIn === 'user') return [];
  return partitions.flatMap((partition) => {
    if (role.builtIn === undefined)
      return Array.from(partition.range(holdersOfRoles, [BigInt(role.id)], { limit }), ({ key }) => key[1]);
    const found: Id[] = [];
    for (const { key, value } of partition.range(staff, [])) {
      if (value.role === role.builtIn) found.push(key[0]);
      if (found.length === limit) break;
    }
    return found;
  });
}

/** The accounts with the role of an owner that may sign in. */
export function ownersOf(snapshots: ServerReader): Id[] {
  return holdersOf(snapshots, builtInRoles.owner).filter((accountId) => {
    const account = findLocalAccount(snapshots, accountId);
    return account !== undefined && loginStateOf(account) === 'active';
  });
}
