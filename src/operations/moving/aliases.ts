/** The aliases of the caller (`alsoKnownAs`): accounts that may be moved to this one. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { movingLimits } from '../../actors/account/moving/limits.ts';
import { onlyUnreachable } from '../../federation/failures.ts';
import type { Id } from '../../runtime/ids.ts';
import { knownAccount } from '../accounts/known-account.ts';
import { resolveHandle } from '../accounts/resolve-handle.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { type FieldProblem, invalid, refuseFields } from '../refused-fields.ts';

const unknown: FieldProblem = {
  ...invalid,
  words: 'is not to be found, or its server does not answer',
  reason: 'accountUnknown',
};
const own: FieldProblem = { ...invalid, words: 'is this account itself', reason: 'accountItself' };
const tooMany: FieldProblem = {
  ...invalid,
  words: `is one too many: there can be ${movingLimits.aliasesMax}`,
  reason: 'oneTooMany',
  limit: movingLimits.aliasesMax,
};

/** Throws FieldsRefused for a handle without an account, and for the caller's own. */
export const addAlias = operation({
  input: z.object({ handle: z.string() }),
  permission: 'manageOwnAccount',
  async run(context, { handle }): Promise<void> {
    const accountId = await resolveHandle(context, { handle }).catch(onlyUnreachable);
    const before = aliasesOf(context);
    const isNew = accountId !== undefined && !before.includes(accountId);
    refuseFields({
      handle: [
        ...(accountId === undefined ? [unknown] : []),
        ...(accountId === context.caller.accountId ? [own] : []),
        ...(isNew && before.length >= movingLimits.aliasesMax ? [tooMany] : []),
      ],
    });
    if (isNew) await change(context, [...before, accountId]);
  },
});

/** Removing an alias that does not exist succeeds. */
export const removeAlias = operation({
  input: z.object({ accountId: z.bigint() }),
  permission: 'manageOwnAccount',
  async run(context, { accountId }): Promise<void> {
    const before = aliasesOf(context);
    if (before.includes(accountId))
      await change(
        context,
        before.filter((id) => id !== accountId),
      );
  },
});

function aliasesOf({ caller, services }: OperationContext<AccountCaller>): readonly Id[] {
  return knownAccount(services, caller.accountId).profile.aliasIds ?? [];
}

function change({ caller, services }: OperationContext<AccountCaller>, aliasIds: Id[]): Promise<unknown> {
  return services.client.call(Account.changeAliases.to(caller.accountId, { aliasIds }), flowOf(caller));
}
