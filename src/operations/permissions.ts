/**
 * The permissions that operations require, in one table. A permission is held by anybody, by every account, or by
 * staff: the latter are permissions of the Mastodon API, with their bit there and the roles that hold them. The owner and
 * the operator hold all of them.
 */

import { findLogin } from '../actors/account/profile/logins.queries.ts';
import { type Role, roles } from '../actors/account/profile/profile.records.ts';
import { membersOfStaff } from '../actors/account/profile/staff.queries.ts';
import { staffRoles } from '../actors/policy/staff.ts';
import { Failure } from '../runtime/errors.ts';
import type { Id } from '../runtime/ids.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import type { Services } from '../services/services.ts';
import type { AccountCaller, Caller, OperatorCaller } from './caller.ts';

interface Permission {
  readonly holder: 'anybody' | 'account' | 'staff';
  /** For permissions of staff. */
  readonly bit?: number;
  readonly roles?: readonly Role[];
}

const anybody = { holder: 'anybody' } as const;
const account = { holder: 'account' } as const;
const staff = (bit: number, ...holders: readonly Role[]) =>
  ({ holder: 'staff', bit: 1 << bit, roles: [...new Set<Role>([...holders, 'owner'])] }) as const;

export const permissions = {
  look: anybody,
  signUp: anybody,
  signIn: anybody,
  registerApplication: anybody,
  /** For applications: getting and revoking tokens. */
  useTokens: anybody,

  post: account,
  interact: account,
  relate: account,
  report: account,
  /** Making this server contact others. */
  resolve: account,
  manageOwnAccount: account,

  administrate: staff(0),
  operateMachine: staff(1),
  viewAuditLog: staff(2, 'moderator', 'admin'),
  viewDashboard: staff(3, 'moderator', 'admin'),
  manageReports: staff(4, ...staffRoles['admin.report']),
  manageFederation: staff(5, 'admin'),
  manageSettings: staff(6, 'admin'),
  manageBlocks: staff(7, 'admin'),
  manageTaxonomies: staff(8, 'moderator', 'admin'),
  manageAppeals: staff(9, 'admin'),
  manageUsers: staff(10, ...staffRoles['admin.sign_up']),
  manageInvites: staff(11, 'admin'),
  manageRules: staff(12, 'admin'),
  manageAnnouncements: staff(13, 'admin'),
  manageCustomEmojis: staff(14, 'admin'),
  manageWebhooks: staff(15, 'admin'),
  inviteUsers: staff(16, 'user', 'moderator', 'admin'),
  manageRoles: staff(17, 'admin'),
  manageUserAccess: staff(18, 'admin'),
  deleteUserData: staff(19, 'admin'),
  viewFeeds: staff(20, 'moderator', 'admin'),
  /** Invited people need no approval. */
  bypassApproval: staff(21),
  manageEmailSubscriptions: staff(22),
  /** What follows from a report as well: warn, limit, suspend. Held with `manageUsers` or `manageReports`. */
  sanctionAccounts: { holder: 'staff', roles: [...staffRoles['admin.report'], ...staffRoles['admin.sign_up']] },
} as const satisfies Record<string, Permission>;

export type PermissionName = keyof typeof permissions;

/** The permissions that only staff hold. */
export type StaffPermission = {
  [Name in PermissionName]: (typeof permissions)[Name]['holder'] extends 'staff' ? Name : never;
}[PermissionName];

interface CallerByHolder {
  anybody: Caller;
  account: AccountCaller;
  staff: AccountCaller | OperatorCaller;
}

/** The callers that an operation with this permission accepts. */
export type CallerWith<Name extends PermissionName> = CallerByHolder[(typeof permissions)[Name]['holder']];

export function roleHolds(role: Role, name: PermissionName): boolean {
  const permission: Permission = permissions[name];
  return permission.holder !== 'staff' || permission.roles?.includes(role) === true;
}

export function rolesWith(name: PermissionName): Role[] {
  return roles.filter((role) => roleHolds(role, name));
}

/** The role of an account here; of others it is undefined. */
export function roleOf({ accountId }: Caller, { snapshots }: Pick<Services, 'snapshots'>): Role | undefined {
  return accountId === undefined ? undefined : findLogin(snapshots, accountId)?.role;
}

/**
 * Throws Failure forbidden for an account with another role. Which kinds of callers are accepted is checked by types.
 */
export function demandPermission(name: PermissionName, caller: Caller, services: Pick<Services, 'snapshots'>): void {
  if (!holdsPermission(name, caller, services)) throw new Failure('forbidden');
}

export function holdsPermission(name: PermissionName, caller: Caller, services: Pick<Services, 'snapshots'>): boolean {
  if (permissions[name].holder !== 'staff' || caller.kind === 'operator') return true;
  const role = roleOf(caller, services);
  return role !== undefined && roleHolds(role, name);
}

/** Nobody acts on an equal or better. Throws Failure forbidden. */
export function demandHigherRole(caller: Caller, than: Role, services: Pick<Services, 'snapshots'>): void {
  if (caller.kind === 'operator') return;
  const role = roleOf(caller, services);
  if (role === undefined || roles.indexOf(role) <= roles.indexOf(than)) throw new Failure('forbidden');
}

/** One message tells all of them. */
const staffToldMax = 200;

/** The staff who hold a permission. */
export function staffWith(snapshots: Pick<Snapshots, 'partitions'>, name: StaffPermission): Id[] {
  return membersOfStaff(snapshots, staffToldMax)
    .filter(({ role }) => roleHolds(role, name))
    .map(({ accountId }) => accountId)
    .slice(0, staffToldMax);
}

/** The permissions of a role as the bits of the Mastodon API, with those that everybody has. */
export function permissionBits(role: Role): number {
  return Object.values<Permission>(permissions)
    .filter((permission) => permission.roles?.includes(role))
    .reduce((bits, { bit = 0 }) => bits | bit, 0);
}
