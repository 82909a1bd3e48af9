/** The RelationshipSeveranceEvent entity: follows that ended together. */
import { z } from 'zod';
import { type Notification, severanceTypes } from '../../actors/account/notifications/notifications.records.ts';
import type { Id } from '../../runtime/ids.ts';
import { count, flag, id, text, time, timestamp } from './values.ts';

export const SeveranceEventEntity = z
  .strictObject({
    id,
    type: z.enum(severanceTypes),
    purged: flag,
    target_name: text,
    followers_count: count,
    following_count: count,
    created_at: time,
  })
  .meta({ id: 'RelationshipSeveranceEvent' });

/**
 * Undefined where nothing was severed. `purged`: nobody can download which accounts they were, because the account has hidden
 * their server itself.
 */
export function severanceEvent(
  notificationId: Id,
  { severance, createdAt }: Pick<Notification, 'severance' | 'createdAt'>,
): z.output<typeof SeveranceEventEntity> | undefined {
  if (severance === undefined) return undefined;
  return {
    id: (severance.severanceId ?? notificationId).toString(),
    type: severance.type,
    purged: severance.severanceId === undefined,
    target_name: severance.targetName,
    followers_count: severance.followersCount,
    following_count: severance.followingCount,
    created_at: timestamp(createdAt),
  };
}
