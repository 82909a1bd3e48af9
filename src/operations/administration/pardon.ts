/** Decisions of staff that end what a sanction has begun, one operation each. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import type { moderationMessages } from '../../actors/account/moderation/moderation.messages.ts';
import type { AuditAction } from '../../actors/audit.records.ts';
import type { BodyOf } from '../../runtime/contract.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import type { StaffPermission } from '../permissions.ts';
import { accountName, type KnownAccount, sanctionable } from './local-account.ts';

interface Pardon {
  readonly permission: StaffPermission;
  readonly audit: AuditAction;
  readonly change: Omit<BodyOf<typeof moderationMessages.changeStanding>, 'audit'>;
  /** Throws Failure where it cannot be ended. */
  check?(account: KnownAccount): void;
}

/** Throws Failure notFound, and forbidden for an account with the same role or a higher one. */
export function pardon({ permission, audit: action, change, check }: Pardon) {
  return operation({
    input: z.object({ account: accountName }),
    permission,
    audit: action,
    on: sanctionable,
    async run({ caller, services, audit }, _given, account): Promise<void> {
      check?.(account);
      await services.client.call(Account.changeStanding.to(account.id, { ...change, audit }), flowOf(caller));
    },
  });
}

/** Throws Failure forbidden: what only an account of this server has cannot be given back to another. */
export function demandLocal({ login }: KnownAccount): void {
  if (login === undefined) throw new Failure('forbidden');
}
