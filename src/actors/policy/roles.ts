/**
 * What roles may do. Four are built in (specification section 5); staff add others, with some of the same permissions.
 * Pure.
 */

import type { Role } from '../account/profile/profile.records.ts';
import type { InvitationMode } from '../instance/instance.messages.ts';

interface PermissionOfRoles {
  /** Its number in the bits of the Mastodon API. */
  readonly bit: number;
  /** The name there. */
  readonly name: string;
  /** The built-in roles that hold it, besides the owner. */
  readonly roles: readonly Role[];
}

const permission = (bit: number, name: string, ...roles: readonly Role[]): PermissionOfRoles => ({ bit, name, roles });

export const rolePermissions = {
  /** Whoever holds it holds all others as well. */
  administrate: permission(0, 'administrator'),
  operateMachine: permission(1, 'view_devops'),
  viewAuditLog: permission(2, 'view_audit_log', 'moderator', 'admin'),
  viewDashboard: permission(3, 'view_dashboard', 'moderator', 'admin'),
  manageReports: permission(4, 'manage_reports', 'moderator', 'admin'),
  manageFederation: permission(5, 'manage_federation', 'admin'),
  manageSettings: permission(6, 'manage_settings', 'admin'),
  manageBlocks: permission(7, 'manage_blocks', 'admin'),
  manageTaxonomies: permission(8, 'manage_taxonomies', 'moderator', 'admin'),
  manageAppeals: permission(9, 'manage_appeals', 'admin'),
  manageUsers: permission(10, 'manage_users', 'moderator', 'admin'),
  manageInvites: permission(11, 'manage_invites', 'admin'),
  manageRules: permission(12, 'manage_rules', 'admin'),
  manageAnnouncements: permission(13, 'manage_announcements', 'admin'),
  manageCustomEmojis: permission(14, 'manage_custom_emojis', 'admin'),
  manageWebhooks: permission(15, 'manage_webhooks', 'admin'),
  inviteUsers: permission(16, 'invite_users', 'moderator', 'admin'),
  manageRoles: permission(17, 'manage_roles', 'admin'),
  manageUserAccess: permission(18, 'manage_user_access', 'admin'),
  deleteUserData: permission(19, 'delete_user_data', 'admin'),
  viewFeeds: permission(20, 'view_feeds', 'moderator', 'admin'),
  /** Invited people need no approval. */
  bypassApproval: permission(21, 'invite_bypass_approval'),
  manageEmailSubscriptions: permission(22, 'manage_email_subscriptions'),
} as const satisfies Record<string, PermissionOfRoles>;

export type RolePermission = keyof typeof rolePermissions;
export const rolePermissionNames = Object.keys(rolePermissions) as [RolePermission, ...RolePermission[]];

/** A role as it counts: a built-in one, or one that staff have added. */
export interface HeldRole {
  /** A small number for a built-in one. */
  readonly id: string;
  readonly name: string;
  /** `#` and six hexadecimal digits, or nothing. */
  readonly color: string;
  /** Whether profiles show it. */
  readonly isHighlighted: boolean;
  /** Nobody acts on somebody whose role has the same position or a higher one. */
  readonly position: number;
  readonly bits: number;
  /** Whether whoever has it must use two-factor authentication. */
  readonly needsTwoFactor: boolean;
  readonly builtIn?: Role;
  /** What everybody may do, as settings say it; as on a new server when absent. */
  readonly sharedBits?: number;
}

export const positionMax = 999;

function builtIn(role: Role, id: number, name: string, position: number): HeldRole {
  const isHeld = (one: RolePermission) =>
    role === 'owner' ? one === 'administrate' : (rolePermissions[one].roles as readonly Role[]).includes(role);
  return {
    id: String(id),
    name,
    color: '',
    isHighlighted: name !== '',
    position,
    bits: bitsOf(rolePermissionNames.filter(isHeld)),
    needsTwoFactor: false,
    builtIn: role,
  };
}

/** Ascending. Their positions are those of the Mastodon API. */
export const builtInRoles: Readonly<Record<Role, HeldRole>> = {
  user: builtIn('user', 0, '', -1),
  moderator: builtIn('moderator', 1, 'Moderator', 10),
  admin: builtIn('admin', 2, 'Admin', 100),
  owner: builtIn('owner', 3, 'Owner', positionMax + 1),
};

export function bitsOf(names: readonly RolePermission[]): number {
  return names.reduce((bits, name) => bits | (1 << rolePermissions[name].bit), 0);
}

/** Without those that everybody has. */
export function permissionsOf({ bits }: Pick<HeldRole, 'bits'>): RolePermission[] {
  return rolePermissionNames.filter((name) => (bits & (1 << rolePermissions[name].bit)) !== 0);
}

const allBits = bitsOf(rolePermissionNames);

const sharedByMode: Readonly<Record<InvitationMode, number>> = {
  staff: 0,
  approval: bitsOf(['inviteUsers']),
  free: bitsOf(['inviteUsers', 'bypassApproval']),
};

/** What everybody may do. */
export function sharedBits(mode: InvitationMode = 'approval'): number {
  return sharedByMode[mode];
}

/** All that count, also those that everybody has: the bits that the Mastodon API shows. */
export function countingBits({
  bits,
  sharedBits: shared = sharedBits(),
}: Pick<HeldRole, 'bits' | 'sharedBits'>): number {
  return (bits & bitsOf(['administrate'])) === 0 ? bits | shared : allBits;
}

export function grants(role: HeldRole, name: RolePermission): boolean {
  return (countingBits(role) & (1 << rolePermissions[name].bit)) !== 0;
}

export function isAbove(role: HeldRole, other: HeldRole): boolean {
  return role.position > other.position;
}
