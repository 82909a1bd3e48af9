/** Invites: what Mastodon tells whoever has a code, and our own entities, for their creators and for staff. */
import { z } from 'zod';
import { findAccount } from '../../actors/account/profile/profiles.queries.ts';
import type { InviteView } from '../../operations/invites/invites.ts';
import type { Services } from '../../services/services.ts';
import { AccountEntity, accountEntity } from './account.ts';
import { count, flag, id, text, time, timestamp, url } from './values.ts';

export const InviteCodeEntity = z
  .strictObject({ invite_code: text.min(1), instance_api_url: url })
  .meta({ id: 'InviteCode' });

export function inviteCodeEntity(code: string, { origin }: Services['addresses']): z.output<typeof InviteCodeEntity> {
  return { invite_code: code, instance_api_url: `${origin}/api/v2/instance` };
}

export const InviteEntity = z
  .strictObject({
    id,
    code: text.min(1),
    url,
    /** Null: any number. */
    max_uses: count.nullable(),
    uses: count,
    expires_at: time.nullable(),
    autofollow: flag,
    comment: text,
    /** `ended` also while its creator may not invite anybody. */
    state: z.enum(['usable', 'expired', 'used_up', 'ended']),
    /** Whether whoever uses it needs no approval. */
    bypasses_approval: flag,
    created_at: time,
  })
  .meta({ id: 'Invite' });
export type InviteEntity = z.output<typeof InviteEntity>;

const states = { usable: 'usable', expired: 'expired', usedUp: 'used_up', ended: 'ended' } as const;

export function inviteEntity({
  id: inviteId,
  invite,
  state,
  url: address,
  bypassesApproval,
}: InviteView): InviteEntity {
  const { code, usesMax, uses, expiresAt, autofollow, comment, createdAt } = invite;
  return {
    ...{ id: inviteId.toString(), code, url: address, max_uses: usesMax ?? null, uses },
    ...{ expires_at: expiresAt === undefined ? null : timestamp(expiresAt), autofollow, comment },
    ...{ state: states[state], bypasses_approval: bypassesApproval, created_at: timestamp(createdAt) },
  };
}

export const AdminInviteEntity = InviteEntity.extend({
  /** Who has made it; null for one of the server itself. */
  account: AccountEntity.nullable(),
}).meta({ id: 'Admin.Invite' });

export function adminInviteEntity(
  view: InviteView,
  { snapshots, addresses }: Pick<Services, 'snapshots' | 'addresses'>,
): z.output<typeof AdminInviteEntity> {
  const creator = view.creator && findAccount(snapshots, view.creator.id);
  return { ...inviteEntity(view), account: creator ? accountEntity(creator, addresses) : null };
}
