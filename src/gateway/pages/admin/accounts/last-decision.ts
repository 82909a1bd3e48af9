/**
 * What was decided about an account last, as the audit log says. Pages send it with their forms: whoever decides second is
 * told what the first one did, and changes nothing.
 */

import { findProfile } from '../../../../actors/account/remote/federation.queries.ts';
import { auditPage, type StoredAuditEntry } from '../../../../actors/audit.queries.ts';
import type { AuditAction } from '../../../../actors/audit.records.ts';
import type { Id } from '../../../../runtime/ids.ts';
import type { Fields } from '../../../oauth/forms.ts';
import { handleOf } from '../../parts/links.ts';
import type { StaffVisit } from '../visitor.ts';

function lastDecision({ services }: StaffVisit, accountId: Id): StoredAuditEntry | undefined {
  const about = { target: 'account', targetId: accountId.toString() } as const;
  return auditPage(services.snapshots, about, { limit: 1 }).items[0];
}

export function seenOf(visit: StaffVisit, accountId: Id): string {
  return lastDecision(visit, accountId)?.id.toString() ?? 'nothing';
}

/** As a sentence; undefined where nothing was decided since the page of the form was made. */
export function newsOf(visit: StaffVisit, accountId: Id, fields: Fields): string | undefined {
  const last = lastDecision(visit, accountId);
  if (last === undefined || last.id.toString() === (fields.get('seen') ?? '')) return undefined;
  const { accounts, audit, staff } = visit.words;
  const by = last.accountId === undefined ? undefined : findProfile(visit.services.snapshots, last.accountId);
  const actions: Readonly<Record<AuditAction, string>> = audit.actions;
  const name = by === undefined ? staff.commandLine : `@${handleOf(by)}`;
  return accounts.newer({ name, decision: actions[last.action] });
}
