/** The AccountWarning entity: what moderation did about an account, and why. It has the id of its notification. */
import { z } from 'zod';
import { type Notification, warningActions } from '../../actors/account/notifications/notifications.records.ts';
import type { Id } from '../../runtime/ids.ts';
import { AccountEntity } from './account.ts';
import { id, text, time, timestamp } from './values.ts';

export const AccountWarningEntity = z
  .strictObject({
    id,
    action: z.enum(warningActions),
    text,
    status_ids: z.array(id).nullable(),
    target_account: AccountEntity,
    /** There are no appeals. */
    appeal: z.null(),
    created_at: time,
  })
  .meta({ id: 'AccountWarning' });

/** Undefined where nobody was warned; `target` is asked for where somebody was. */
export function accountWarning(
  notificationId: Id,
  { warning, createdAt }: Pick<Notification, 'warning' | 'createdAt'>,
  target: () => AccountEntity,
): z.output<typeof AccountWarningEntity> | undefined {
  if (warning === undefined) return undefined;
  return {
    id: notificationId.toString(),
    action: warning.action,
    text: warning.text,
    status_ids: warning.statusIds?.map(String) ?? [],
    target_account: target(),
    appeal: null,
    created_at: timestamp(createdAt),
  };
}
