/**
 * The permissions that operations require, in one table. A permission is held by anybody, by every account, or by
 * staff: the latter are permissions of the Mastodon API, with their bit there and the roles that hold them. The
 * operator holds all of them.
 */

import { findLogin } from '../actors/account/profile/logins.queries.ts';
import type { Role } from '../actors/account/profile/profile.records.ts';
import { staffRoles } from '../actors/policy/staff.ts';
import { Failure } from '../runtime/errors.ts';
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
const staff = (bit: number, ...roles: readonly Role[]) => ({ holder: 'staff', bit: 1 << bit, roles }) as const;

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

  administrate: staff(0, 'admin'),
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
  inviteUsers: staff(16, 'admin'),
  manageRoles: staff(17, 'admin'),
  manageUserAccess: staff(18, 'admin'),
  deleteUserData: staff(19, 'admin'),
  viewFeeds: staff(20, 'admin'),
} as const satisfies Record<string, Permission>;

export type PermissionName = keyof typeof permissions;

interface CallerByHolder {
  anybody: Caller;
  account: AccountCaller;
  staff: AccountCaller | OperatorCaller;
}

/** The callers that an operation with this permission accepts. */
export type CallerWith<Name extends PermissionName> = CallerByHolder[(typeof permissions)[Name]['holder']];

/**
 * Throws Failure forbidden for an account with another role. Which kinds of callers are accepted is checked by types.
 */
export function demandPermission(name: PermissionName, caller: Caller, services: Pick<Services, 'snapshots'>): void {
  const permission: Permission = permissions[name];
  if (permission.holder !== 'staff' || caller.kind === 'operator') return;
  const role = caller.accountId === undefined ? undefined : findLogin(services.snapshots, caller.accountId)?.role;
  if (role === undefined || permission.roles?.includes(role) !== true) throw new Failure('forbidden');
}

/** The permissions of a role as the bits of the Mastodon API. */
export function permissionBits(role: Role): number {
  return Object.values<Permission>(permissions)
    .filter(({ roles }) => roles?.includes(role))
    .reduce((bits, { bit = 0 }) => bits | bit, 0);
}
