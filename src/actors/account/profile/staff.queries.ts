/** Finds the staff to notify of an event. Each partition lists the staff among its accounts. */
import type { Id } from '../../../runtime/ids.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import { concernsRole, type StaffNotification } from '../../policy/staff.ts';
import type { Role } from './profile.records.ts';
import { logins, staff } from './profile.state.ts';

/** More than any server has. */
const staffMax = 10_000;

/** One turn tells all of them. */
const staffNotifiedMax = 200;

export function staffNotifiedOf({ partitions }: Pick<Snapshots, 'partitions'>, type: StaffNotification): Id[] {
  const found: Id[] = [];
  for (const partition of partitions)
    for (const { key, value } of partition.range(staff, [], { limit: staffNotifiedMax }))
      if (concernsRole(type, value.role)) found.push(key[0]);
  return found.slice(0, staffNotifiedMax);
}

export interface MemberOfStaff {
  readonly accountId: Id;
  readonly role: Role;
}

/** In no particular order; at most so many of each partition. */
export function membersOfStaff({ partitions }: Pick<Snapshots, 'partitions'>, limit = staffMax): MemberOfStaff[] {
  return partitions.flatMap((partition) =>
    Array.from(partition.range(staff, [], { limit }), ({ key, value }) => ({ accountId: key[0], role: value.role })),
  );
}

/** The accounts with the role of an owner that are not about to be deleted. */
export function ownersOf(snapshots: Snapshots): Id[] {
  const owners = membersOfStaff(snapshots).filter(({ role }) => role === 'owner');
  return owners
    .map(({ accountId }) => accountId)
    .filter((accountId) => snapshots.get(logins, [accountId])?.deletesAt === undefined);
}
