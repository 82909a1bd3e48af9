/**
 * The permissions that operations require, in one table. A permission is held by anybody, by every account, or by
 * roles: which of them is declared in actors/policy/roles.ts. The operator holds all of them.
 */

import { findLogin } from '../actors/account/profile/logins.queries.ts';
import { countingRole } from '../actors/instance/roles/roles.queries.ts';
import {
  builtInRoles,
  countingBits,
  grants,
  type HeldRole,
  isAbove,
  type RolePermission,
  rolePermissions,
} from '../actors/policy/roles.ts';
import { Failure } from '../runtime/errors.ts';
import type { Services } from '../services/services.ts';
import type { AccountCaller, Caller, OperatorCaller } from './caller.ts';

interface Permission {
  readonly holder: 'anybody' | 'account' | 'staff';
  /** For permissions of staff: held with any of these. */
  readonly with?: readonly RolePermission[];
}

const anybody = { holder: 'anybody' } as const;
const account = { holder: 'account' } as const;

type OfRoles = {
  readonly [Name in RolePermission]: { readonly holder: 'staff'; readonly with: readonly RolePermission[] };
};

function ofRoles(): OfRoles {
  const names = Object.keys(rolePermissions) as RolePermission[];
  return Object.fromEntries(names.map((name) => [name, { holder: 'staff', with: [name] }])) as unknown as OfRoles;
}

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

  ...ofRoles(),
  /** What follows from a report as well: warn, limit, suspend. */
  sanctionAccounts: { holder: 'staff', with: ['manageReports', 'manageUsers'] },
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

export function roleHolds(role: HeldRole, name: PermissionName): boolean {
  const permission: Permission = permissions[name];
  return permission.holder !== 'staff' || permission.with?.some((one) => grants(role, one)) === true;
}

/** The role of an account here; of others it is undefined. */
export function roleOf({ accountId }: Caller, { snapshots }: Pick<Services, 'snapshots'>): HeldRole | undefined {
  const login = accountId === undefined ? undefined : findLogin(snapshots, accountId);
  return login && countingRole(snapshots, login);
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

/** Nobody acts on an equal or better. */
export function hasHigherRole(caller: Caller, than: HeldRole, services: Pick<Services, 'snapshots'>): boolean {
  if (caller.kind === 'operator') return true;
  const role = roleOf(caller, services);
  return role !== undefined && isAbove(role, than);
}

/** Throws Failure forbidden. */
export function demandHigherRole(caller: Caller, than: HeldRole, services: Pick<Services, 'snapshots'>): void {
  if (!hasHigherRole(caller, than, services)) throw new Failure('forbidden');
}

/** Nobody gives what he has not: neither to a role nor, with a role, to somebody. */
export function hasAll(caller: Caller, of: Pick<HeldRole, 'bits'>, services: Pick<Services, 'snapshots'>): boolean {
  if (caller.kind === 'operator') return true;
  const role = roleOf(caller, services) ?? builtInRoles.user;
  return (of.bits & ~countingBits(role)) === 0;
}

/** Throws Failure forbidden. */
export function demandAll(caller: Caller, of: Pick<HeldRole, 'bits'>, services: Pick<Services, 'snapshots'>): void {
  if (!hasAll(caller, of, services)) throw new Failure('forbidden');
}
