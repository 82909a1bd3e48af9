/** The sections of /admin, and which of them somebody among the staff may enter. */
import { holdsPermission, type StaffPermission } from '../../../operations/permissions.ts';
import { unlimited } from '../../../operations/rate-limits.ts';
import type { IconName } from '../parts/icons.ts';
import type { MemberVisit } from '../visit.ts';

interface Section {
  readonly address: string;
  readonly permission: StaffPermission;
  readonly drawing: IconName;
  readonly group: 'people' | 'server' | 'others';
}

/** In the order of the navigation. The overview is for whoever may enter any of them. */
export const sections = {
  reports: { address: '/admin/reports', permission: 'manageReports', drawing: 'about', group: 'people' },
  accounts: { address: '/admin/accounts', permission: 'manageUsers', drawing: 'people', group: 'people' },
  appeals: { address: '/admin/appeals', permission: 'manageAppeals', drawing: 'reply', group: 'people' },
  presets: { address: '/admin/presets', permission: 'manageSettings', drawing: 'edit', group: 'people' },
  invites: { address: '/admin/invites', permission: 'manageInvites', drawing: 'direct', group: 'people' },
  trends: { address: '/admin/trends', permission: 'manageTaxonomies', drawing: 'explore', group: 'people' },
  blocks: { address: '/admin/blocks/addresses', permission: 'manageBlocks', drawing: 'private', group: 'people' },
  domains: { address: '/admin/domains', permission: 'manageFederation', drawing: 'public', group: 'others' },
  relays: { address: '/admin/relays', permission: 'manageFederation', drawing: 'boost', group: 'others' },
  measures: { address: '/admin/measures', permission: 'viewDashboard', drawing: 'explore', group: 'server' },
  settings: { address: '/admin/settings', permission: 'manageSettings', drawing: 'settings', group: 'server' },
  roles: { address: '/admin/roles', permission: 'manageRoles', drawing: 'person', group: 'server' },
  rules: { address: '/admin/rules', permission: 'manageRules', drawing: 'list', group: 'server' },
  announcements: {
    ...{ address: '/admin/announcements', permission: 'manageAnnouncements', drawing: 'bell', group: 'server' },
  },
  emojis: { address: '/admin/emojis', permission: 'manageCustomEmojis', drawing: 'favourite', group: 'server' },
  webhooks: { address: '/admin/webhooks', permission: 'manageWebhooks', drawing: 'later', group: 'server' },
  audit: { address: '/admin/audit', permission: 'viewAuditLog', drawing: 'clock', group: 'server' },
  machine: { address: '/admin/machine', permission: 'operateMachine', drawing: 'poll', group: 'server' },
  storage: { address: '/admin/storage', permission: 'operateMachine', drawing: 'list', group: 'server' },
} as const satisfies Record<string, Section>;

export type SectionName = keyof typeof sections;

export interface OfferedSection extends Section {
  readonly name: SectionName;
}

type Who = Pick<MemberVisit, 'account' | 'services'>;

export function mayDo({ account, services }: Who, name: StaffPermission): boolean {
  return holdsPermission(name, { kind: 'account', accountId: account.id, limits: unlimited }, services);
}

export function sectionsFor(visit: Who): OfferedSection[] {
  const all = Object.entries(sections) as [SectionName, Section][];
  return all.flatMap(([name, section]) => (mayDo(visit, section.permission) ? { name, ...section } : []));
}

/** Whether anything of /admin is for the visitor. */
export function isStaff(visit: Who): boolean {
  const { login } = visit.account;
  return (login.role !== 'user' || login.roleId !== undefined) && sectionsFor(visit).length > 0;
}
