/**
 * A decision of staff about a local account that changes its login or its visibility: one operation each, with its own
 * permission and its own name in the audit log.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import type { ChangeLogin } from '../../actors/account/profile/profile.messages.ts';
import type { AuditAction } from '../../actors/audit.records.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import type { StaffPermission } from '../permissions.ts';
import { accountName, subordinate } from './local-account.ts';

interface Decision {
  readonly permission: StaffPermission;
  readonly audit: AuditAction;
  readonly change: Omit<z.infer<typeof ChangeLogin>, 'audit'>;
  /** Throws Failure where the account is in no state for it. */
  check?(account: LocalAccount, services: Pick<Services, 'snapshots'>): void;
}

/** Throws Failure notFound, and forbidden for an account with the same role or a higher one. */
export function decision({ permission, audit: action, change, check }: Decision) {
  return operation({
    input: z.object({ account: accountName }),
    permission,
    audit: action,
    on: subordinate,
    async run({ caller, services, audit }, _given, account): Promise<void> {
      check?.(account, services);
      await services.client.call(Account.changeLogin.to(account.id, { ...change, audit }), flowOf(caller));
    },
  });
}
