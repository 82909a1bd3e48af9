/** What staff are notified of, and whom it concerns: those who may do something about it. Pure. */
import { grants, type HeldRole, type RolePermission } from './roles.ts';

export const concerned = {
  'admin.report': 'manageReports',
  'admin.sign_up': 'manageUsers',
} as const satisfies Record<string, RolePermission>;
export type StaffNotification = keyof typeof concerned;

export function isForStaff(type: string): type is StaffNotification {
  return Object.hasOwn(concerned, type);
}

export function concernsRole(type: StaffNotification, role: HeldRole): boolean {
  return grants(role, concerned[type]);
}
