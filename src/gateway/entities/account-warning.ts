/**
 * The AccountWarning entity: what moderation did about an account, and why. It has the id of its notification. A Strike says
 * besides what can be said against it, and what became of that.
 */
import { z } from 'zod';
import type { StoredWarning } from '../../actors/account/moderation/warnings.queries.ts';
import { notificationLimits } from '../../actors/account/notifications/limits.ts';
import {
  type Appeal,
  type Notification,
  warningActions,
} from '../../actors/account/notifications/notifications.records.ts';
import { appealStateNames, stateOfAppeal } from '../../actors/policy/appeals.ts';
import type { Id } from '../../runtime/ids.ts';
import { AccountEntity } from './account.ts';
import { id, text, time, timestamp } from './values.ts';

const AppealEntity = z.strictObject({ text, state: z.enum(appealStateNames) }).meta({ id: 'Appeal' });

const warningFields = {
  id,
  action: z.enum(warningActions),
  text,
  status_ids: z.array(id).nullable(),
  target_account: AccountEntity,
  appeal: AppealEntity.nullable(),
  created_at: time,
};

export const AccountWarningEntity = z.strictObject(warningFields).meta({ id: 'AccountWarning' });

/** Our own. */
export const StrikeEntity = z
  .strictObject({
    ...warningFields,
    /** Until when the account can appeal; null once it has. */
    appealable_until: time.nullable(),
    /** When an appeal was approved. */
    overruled_at: time.nullable(),
  })
  .meta({ id: 'Strike' });
export type StrikeEntity = z.output<typeof StrikeEntity>;

type Warned = Pick<Notification, 'warning' | 'createdAt'>;

/** Undefined where nobody was warned; `target` is asked for where somebody was. */
export function accountWarning(
  notificationId: Id,
  { warning, createdAt }: Warned,
  target: () => AccountEntity,
): z.output<typeof AccountWarningEntity> | undefined {
  return warning && warningEntity({ id: notificationId, ...warning, createdAt }, target());
}

export function strikeEntity(strike: StoredWarning, target: AccountEntity): StrikeEntity {
  const { appeal, createdAt } = strike;
  const until = appeal === undefined ? timestamp(createdAt + notificationLimits.appealMilliseconds) : null;
  return { ...warningEntity(strike, target), appealable_until: until, overruled_at: overruledAt(appeal) };
}

function overruledAt(appeal: Appeal | undefined): string | null {
  return appeal?.isApproved === true && appeal.decidedAt !== undefined ? timestamp(appeal.decidedAt) : null;
}

function warningEntity(
  { id: strikeId, action, text: said, statusIds, appeal, createdAt }: StoredWarning,
  target: AccountEntity,
): z.output<typeof AccountWarningEntity> {
  return {
    id: strikeId.toString(),
    action,
    text: said,
    status_ids: statusIds?.map(String) ?? [],
    target_account: target,
    appeal: appeal === undefined ? null : { text: appeal.text, state: stateOfAppeal(appeal) },
    created_at: timestamp(createdAt),
  };
}
