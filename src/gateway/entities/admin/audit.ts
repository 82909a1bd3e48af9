/** The Admin::AuditEntry entity, our own: what was decided, by who, about what, and what it changed. */
import { z } from 'zod';
import { AuditAction, auditActions, auditActors } from '../../../actors/audit.records.ts';
import type { ListedAuditEntry } from '../../../operations/administration/list-audit.ts';
import { id, text, time, timestamp } from '../values.ts';

const value = z.union([text, z.number(), z.boolean()]);

export const AdminAuditEntity = z
  .strictObject({
    id,
    created_at: time,
    action: AuditAction,
    /** Who decided it: an account of this server, the command line, or the server by itself. */
    by: z.enum(auditActors),
    /** The account that acted; its name is null where it is gone. */
    account_id: id.nullable(),
    username: text.nullable(),
    /** The IP address that the request came from. */
    ip: text.nullable(),
    target_type: text,
    target_id: text.nullable(),
    /** The name of what it was about, as it was then. */
    target_name: text,
    report_id: id.nullable(),
    changes: z.array(z.strictObject({ field: text, before: value.nullable(), after: value.nullable() })),
  })
  .meta({ id: 'Admin.AuditEntry' });

export function adminAuditEntity({ entry, actor }: ListedAuditEntry): z.output<typeof AdminAuditEntity> {
  return {
    id: entry.id.toString(),
    created_at: timestamp(entry.at),
    action: entry.action,
    by: entry.by,
    account_id: entry.accountId?.toString() ?? null,
    username: actor?.username ?? null,
    ip: entry.address ?? null,
    target_type: auditActions[entry.action],
    target_id: entry.targetId ?? null,
    target_name: entry.name,
    report_id: entry.reportId?.toString() ?? null,
    changes: entry.changes.map(({ field, before = null, after = null }) => ({ field, before, after })),
  };
}
