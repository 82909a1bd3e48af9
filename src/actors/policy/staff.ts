/** What staff are notified of, and the roles that it concerns: the permissions of operations are held by the same. Pure. */
import type { Role } from '../account/profile/profile.records.ts';

export const staffRoles = {
  'admin.report': ['moderator', 'admin', 'owner'],
  'admin.sign_up': ['moderator', 'admin', 'owner'],
} as const satisfies Record<string, readonly Role[]>;
export type StaffNotification = keyof typeof staffRoles;

export function isForStaff(type: string): type is StaffNotification {
  return Object.hasOwn(staffRoles, type);
}

export function concernsRole(type: StaffNotification, role: Role): boolean {
  return (staffRoles[type] as readonly Role[]).includes(role);
}
