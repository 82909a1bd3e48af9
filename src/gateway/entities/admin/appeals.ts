/** The Admin::Appeal entity, our own: what an account says against a strike, and who decided. */
import { z } from 'zod';
import type { AppealedStrike } from '../../../actors/account/moderation/appeals.queries.ts';
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { appealStateNames, stateOfAppeal } from '../../../actors/policy/appeals.ts';
import type { Services } from '../../../services/services.ts';
import { accountEntity } from '../account.ts';
import { StrikeEntity, strikeEntity } from '../account-warning.ts';
import { id, text, time, timestamp } from '../values.ts';
import { AdminAccountEntity, adminAccountEntity } from './accounts.ts';

export const AdminAppealEntity = z
  .strictObject({
    id,
    text,
    state: z.enum(appealStateNames),
    created_at: time,
    decided_at: time.nullable(),
    account: AdminAccountEntity,
    /** Null while it waits, for the command line, and for an account that is gone. */
    decided_by_account: AdminAccountEntity.nullable(),
    /** Who decided what it is against; null likewise. */
    strike_by_account: AdminAccountEntity.nullable(),
    report_id: id.nullable(),
    strike: StrikeEntity,
  })
  .meta({ id: 'Admin.Appeal' });
export type AdminAppealEntity = z.output<typeof AdminAppealEntity>;

/** Undefined where the account is gone. */
export function adminAppealEntity(
  { accountId, strike, appeal }: AppealedStrike,
  services: Pick<Services, 'snapshots' | 'addresses'>,
): AdminAppealEntity | undefined {
  const view = findAccount(services.snapshots, accountId);
  if (view === undefined) return undefined;
  const accountOf = (id: bigint | undefined) => {
    const found = id === undefined ? undefined : findAccount(services.snapshots, id);
    return found === undefined ? null : adminAccountEntity(found, services);
  };
  return {
    id: appeal.appealId.toString(),
    text: appeal.text,
    state: stateOfAppeal(appeal),
    created_at: timestamp(appeal.at),
    decided_at: appeal.decidedAt === undefined ? null : timestamp(appeal.decidedAt),
    account: adminAccountEntity(view, services),
    decided_by_account: accountOf(appeal.decidedById),
    strike_by_account: accountOf(strike.byId),
    report_id: strike.reportId?.toString() ?? null,
    strike: strikeEntity(strike, accountEntity(view, services.addresses)),
  };
}
