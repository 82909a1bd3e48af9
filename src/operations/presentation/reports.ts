/** A report as its author, and staff, are shown it. */
import { type AccountView, findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { findReport } from '../../actors/account/reports/reports.queries.ts';
import type { Report } from '../../actors/account/reports/reports.records.ts';
import type { FeaturePermission } from '../../actors/policy/featuring.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { permissionToFeature } from '../collections/featurable.ts';

type Known = Pick<Services, 'snapshots' | 'now'>;

export interface ShownReport {
  readonly report: Report;
  readonly target: AccountView;
  /** The viewer's, to feature the reported account. */
  readonly permission: FeaturePermission;
}

/** Undefined where the reported account is gone. */
export function shownReport(services: Known, report: Report, viewerId: Id): ShownReport | undefined {
  const target = findAccount(services.snapshots, report.targetId);
  return target && { report, target, permission: permissionToFeature(services, target.profile, viewerId) };
}

/** Undefined for one that there is not, or whose account is gone. */
export function findShownReport(services: Known, reportId: Id, viewerId: Id): ShownReport | undefined {
  const report = findReport(services.snapshots, reportId);
  return report && shownReport(services, report, viewerId);
}
