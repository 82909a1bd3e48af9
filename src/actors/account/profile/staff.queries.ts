/** Finds the staff to notify of an event. Each partition lists the staff among its accounts. */
import type { Id } from '../../../runtime/ids.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import { concernsRole, type StaffNotification } from '../../policy/staff.ts';
import { staff } from './profile.state.ts';

/** One turn tells all of them. */
const staffNotifiedMax = 200;

export function staffNotifiedOf({ partitions }: Pick<Snapshots, 'partitions'>, type: StaffNotification): Id[] {
  const found: Id[] = [];
  for (const partition of partitions)
    for (const { key, value } of partition.range(staff, [], { limit: staffNotifiedMax }))
      if (concernsRole(type, value.role)) found.push(key[0]);
  return found.slice(0, staffNotifiedMax);
}

/** The accounts with the role of an owner. */
export function ownersOf({ partitions }: Pick<Snapshots, 'partitions'>): Id[] {
  return partitions.flatMap((partition) =>
    Array.from(partition.range(staff, []))
      .filter(({ value }) => value.role === 'owner')
      .map(({ key }) => key[0]),
  );
}
