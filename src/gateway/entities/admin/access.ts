/**
 * The entities of who may sign up or come at all: Admin::EmailDomainBlock, Admin::IpBlock, Admin::CanonicalEmailBlock;
 * and our own Admin::UsernameBlock, which Mastodon has on its pages only.
 */
import { z } from 'zod';
import type {
  AddressBlock,
  CanonicalEmailBlock,
  EmailDomainBlock,
  UsernameBlock,
} from '../../../actors/instance/access/access.records.ts';
import { addressSeverities } from '../../../actors/policy/access.ts';
import { flag, id, text, time, timestamp } from '../values.ts';

const digits = z.string().regex(/^[0-9]+$/);

export const AdminEmailDomainBlockEntity = z
  .strictObject({
    id,
    domain: text,
    created_at: time,
    history: z.array(z.strictObject({ day: digits, accounts: digits, uses: digits })).length(7),
    allow_with_approval: flag,
  })
  .meta({ id: 'Admin.EmailDomainBlock' });

const daySeconds = 24 * 60 * 60;
const historyDays = 7;

/** `now` in milliseconds since 1970: the history is of the last seven days, newest first. */
export function adminEmailDomainBlockEntity(
  { id: blockId, domain, createdAt, allowWithApproval, attempts }: EmailDomainBlock,
  now: number,
): z.infer<typeof AdminEmailDomainBlockEntity> {
  const today = Math.floor(now / (daySeconds * 1_000));
  const history = Array.from({ length: historyDays }, (_, age) => {
    const tried = attempts.find(({ day }) => day === today - age);
    return {
      day: String((today - age) * daySeconds),
      accounts: String(tried?.addresses ?? 0),
      uses: String(tried?.uses ?? 0),
    };
  });
  const createdTime = timestamp(createdAt);
  return { id: blockId.toString(), domain, created_at: createdTime, history, allow_with_approval: allowWithApproval };
}

export const AdminIpBlockEntity = z
  .strictObject({
    id,
    ip: text,
    severity: z.enum(addressSeverities),
    comment: text,
    created_at: time,
    expires_at: time.nullable(),
  })
  .meta({ id: 'Admin.IpBlock' });

export function adminIpBlockEntity(block: AddressBlock): z.infer<typeof AdminIpBlockEntity> {
  return {
    id: block.id.toString(),
    ip: block.range,
    severity: block.severity,
    comment: block.comment,
    created_at: timestamp(block.createdAt),
    expires_at: block.expiresAt === undefined ? null : timestamp(block.expiresAt),
  };
}

export const AdminCanonicalEmailBlockEntity = z
  .strictObject({ id, canonical_email_hash: z.hash('sha256') })
  .meta({ id: 'Admin.CanonicalEmailBlock' });

export function adminCanonicalEmailBlockEntity(
  block: CanonicalEmailBlock,
): z.infer<typeof AdminCanonicalEmailBlockEntity> {
  return { id: block.id.toString(), canonical_email_hash: block.hash };
}

export const AdminUsernameBlockEntity = z
  .strictObject({
    id,
    /** In lower case. */
    username: text,
    /** Whether names that contain it may be used. */
    exact: flag,
    allow_with_approval: flag,
    created_at: time,
  })
  .meta({ id: 'Admin.UsernameBlock' });

export function adminUsernameBlockEntity(block: UsernameBlock): z.infer<typeof AdminUsernameBlockEntity> {
  return {
    id: block.id.toString(),
    username: block.username,
    exact: block.isExact,
    allow_with_approval: block.allowWithApproval,
    created_at: timestamp(block.createdAt),
  };
}
