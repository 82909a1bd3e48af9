/** The endpoint of the audit log, our own: Mastodon has it on its pages only. */
import { z } from 'zod';
import { auditActionNames, auditActors, auditTargets } from '../../../actors/audit.records.ts';
import { listAudit } from '../../../operations/administration/list-audit.ts';
import { AdminAuditEntity, adminAuditEntity } from '../../entities/admin/audit.ts';
import { choice, chosenId, text } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { staffEndpoint, staffPageAnswer, staffPageParameters } from './staff-endpoint.ts';

const targets = auditTargets as readonly [(typeof auditTargets)[number], ...(typeof auditTargets)[number][]];

const getAuditLog = staffEndpoint(listAudit, {
  scopes: ['admin:read'],
  method: 'GET',
  path: '/api/murmuration/v1/admin/audit_log',
  parameters: z.object({
    ...staffPageParameters,
    by: choice(auditActors),
    account_id: chosenId,
    action: choice(auditActionNames),
    target_type: choice(targets),
    target_id: text,
  }),
  summary: 'Lists what staff, the command line and the server itself have decided, newest first.',
  answer: z.array(AdminAuditEntity),
  handler(context, given) {
    const { by, action, target_type: target, target_id: targetId, account_id: actor } = given;
    const page = listAudit(context, { ...boundsOf(given), by, action, target, targetId, ...(actor && { actor }) });
    return staffPageAnswer(context.request, page, given.limit, adminAuditEntity);
  },
});

export const adminAuditEndpoints = [getAuditLog];
