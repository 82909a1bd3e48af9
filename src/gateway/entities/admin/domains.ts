/** The entities of rules for other servers, as staff see them: Admin::DomainBlock and Admin::DomainAllow. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { DomainAllow, DomainBlock } from '../../../actors/instance/domains/domains.records.ts';
import { domainSeverities } from '../../../actors/policy/domains.ts';
import { flag, id, text, time, timestamp } from '../values.ts';

export const AdminDomainBlockEntity = z
  .strictObject({
    id,
    domain: text,
    digest: z.hash('sha256'),
    created_at: time,
    severity: z.enum(domainSeverities),
    reject_media: flag,
    reject_reports: flag,
    private_comment: text.nullable(),
    public_comment: text.nullable(),
    obfuscate: flag,
  })
  .meta({ id: 'Admin.DomainBlock' });

export function adminDomainBlockEntity(block: DomainBlock): z.infer<typeof AdminDomainBlockEntity> {
  return {
    id: block.id.toString(),
    domain: block.domain,
    digest: digestOfDomain(block.domain),
    created_at: timestamp(block.createdAt),
    severity: block.severity,
    reject_media: block.rejectMedia,
    reject_reports: block.rejectReports,
    private_comment: block.privateComment ?? null,
    public_comment: block.publicComment ?? null,
    obfuscate: block.obfuscate,
  };
}

/** Of the whole name, so that who knows it recognises an obfuscated one. */
export function digestOfDomain(domain: string): string {
  return createHash('sha256').update(domain).digest('hex');
}

export const AdminDomainAllowEntity = z
  .strictObject({ id, domain: text, created_at: time })
  .meta({ id: 'Admin.DomainAllow' });

export function adminDomainAllowEntity(allow: DomainAllow): z.infer<typeof AdminDomainAllowEntity> {
  return { id: allow.id.toString(), domain: allow.domain, created_at: timestamp(allow.createdAt) };
}
